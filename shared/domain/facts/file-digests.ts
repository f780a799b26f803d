import type { Checksums, checksumAlgorithms } from '../../util/checksums.ts';
import { readTextAt } from '../../util/json.ts';
import type { PackageId } from '../packages/package-id.ts';
import type { Manifest } from './manifest.ts';
import { findIntegrity } from './npm-integrity.ts';

/** File of a version with the digest that package managers verify. */
interface FileDigest {
  /** File name; for an image the platform, or `index` for the image index. */
  readonly file: string;
  /** `sha512-BASE64` for npm, otherwise `sha256:HEX`; null if upstream has none. */
  readonly digest: string | null;
  /** URL that upstream names for the file; null if it names none, as for Maven and images. */
  readonly url: string | null;
}

/** Algorithms, strongest first. */
const byStrength = [
  'sha512',
  'sha256',
  'sha1',
  'md5',
] as const satisfies (typeof checksumAlgorithms)[number][];

const formatStrongest = (checksums: Checksums): string | null => {
  const algorithm = byStrength.find((one) => checksums[one] !== undefined);
  return algorithm ? `${algorithm}:${checksums[algorithm]}` : null;
};

const nameTarball = ({ name, version }: PackageId): string =>
  `${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`;

/**
 * Returns the files of a version that the gate serves once approved, with the digests that package managers verify.
 * PyPI files without a SHA-256 digest are never served.
 */
export const listFileDigests = (id: PackageId, manifest: Manifest): readonly FileDigest[] => {
  switch (manifest.kind) {
    case 'npm': {
      const dist = manifest.version['dist'];
      const digest = findIntegrity(dist);
      const url = readTextAt(dist, 'tarball') ?? null;
      return digest === undefined ? [] : [{ file: nameTarball(id), digest, url }];
    }
    case 'pypi':
      return manifest.files.flatMap(({ filename, hashes, url }) =>
        hashes['sha256'] ? [{ file: filename, digest: `sha256:${hashes['sha256']}`, url }] : [],
      );
    case 'maven':
      return manifest.files.map(({ name, checksums }) => ({
        file: name,
        digest: formatStrongest(checksums),
        url: null,
      }));
    case 'docker':
      return [
        { file: 'index', digest: manifest.digest, url: null },
        ...manifest.images.map(({ platform, digest }) => ({ file: platform, digest, url: null })),
      ];
  }
};

import type { PackageId } from '../packages/package-id.ts';
import type { Checksums, checksumAlgorithms } from './checksums.ts';
import type { Manifest } from './manifest.ts';
import { findIntegrity } from './npm-integrity.ts';

/** One file of a version, with the digest to which package managers hold it. */
interface FileDigest {
  /** Its name; of an image the platform, and `index` for the whole. */
  readonly file: string;
  /** As its ecosystem writes it: `sha512-BASE64` of npm, else `sha256:HEX`; null where its origin has none. */
  readonly digest: string | null;
}

/** The strongest first. */
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
 * Returns the files of a version that the gate serves once it is approved, each with the digest to which package managers
 * hold it. Files of PyPI without a SHA-256 digest are never served.
 */
export const listFileDigests = (id: PackageId, manifest: Manifest): readonly FileDigest[] => {
  switch (manifest.kind) {
    case 'npm': {
      const digest = findIntegrity(manifest.version['dist']);
      return digest === undefined ? [] : [{ file: nameTarball(id), digest }];
    }
    case 'pypi':
      return manifest.files.flatMap(({ filename, hashes }) =>
        hashes['sha256'] ? [{ file: filename, digest: `sha256:${hashes['sha256']}` }] : [],
      );
    case 'maven':
      return manifest.files.map(({ name, checksums }) => ({
        file: name,
        digest: formatStrongest(checksums),
      }));
    case 'docker':
      return [
        ...(manifest.digest === null ? [] : [{ file: 'index', digest: manifest.digest }]),
        ...manifest.images.map(({ platform, digest }) => ({ file: platform, digest })),
      ];
  }
};

import { digest } from '../../util/digest.ts';
import { isObject, readTextAt } from '../../util/json.ts';
import {
  type FileHash,
  type HashAlgorithm,
  hashAlgorithms,
  parseFileHash,
  parseFileHashes,
} from '../packages/file-hash.ts';
import { findHost } from '../packages/source-hosts.ts';
import type { Manifest } from './manifest.ts';

/** Hashes and hosts of a version's files. */
export interface PinnedFiles {
  readonly hashes: readonly FileHash[];
  readonly hosts: readonly string[];
  /** True if the version may have further files, whose hashes are unknown. */
  readonly isPartial?: boolean;
  /** Digest of an image or image index, to which its tag resolves: `sha256:HEX`. Absent for files. */
  readonly imageDigest?: string;
}

/** Number of compared hash bytes. A second file with the same 128 bits is infeasible. */
export const comparedBytes = 16;

const toHash = (algorithm: string, hex: unknown): FileHash[] => {
  const hash = typeof hex === 'string' ? parseFileHash(`${algorithm}:${hex}`) : undefined;
  return hash ? [hash] : [];
};

const listOfNpm = (version: Readonly<Record<string, unknown>>): FileHash[] => {
  const integrity = readTextAt(version, 'dist', 'integrity') ?? '';
  const hashes = parseFileHashes(integrity);
  return [...hashes, ...toHash('sha1', readTextAt(version, 'dist', 'shasum'))];
};

const listEach = (checksums: unknown): FileHash[] =>
  Object.entries(isObject(checksums) ? checksums : {}).flatMap(([algorithm, hex]) =>
    toHash(algorithm, hex),
  );

/** Returns the hashes of all files of a version, according to upstream. */
export const listPinnedFiles = (manifest: Manifest): PinnedFiles => {
  switch (manifest.kind) {
    case 'npm':
      return { hashes: listOfNpm(manifest.version), hosts: [] };
    case 'pypi': {
      const hosts = manifest.files.flatMap(({ url }) => findHost(url) ?? []);
      const hashes = manifest.files.flatMap((file) => listEach(file.hashes));
      return { hashes, hosts: [...new Set(hosts)] };
    }
    case 'maven':
      return {
        hashes: manifest.files.flatMap((file) => listEach(file.checksums)),
        hosts: [],
        ...(manifest.unlisted && { isPartial: true }),
      };
    case 'docker': {
      const { digest: imageDigest, images, isPartial } = manifest;
      const digests = [imageDigest, ...images.map(({ digest: one }) => one)];
      return {
        hashes: [...new Set(digests)].flatMap((one) => parseFileHash(one) ?? []),
        hosts: [],
        imageDigest,
        ...(isPartial && { isPartial }),
      };
    }
  }
};

/** Result of a content comparison: `unknown` if there is nothing to compare. */
export type ContentMatch = 'same' | 'other' | 'unknown';

const toKey = ({ algorithm, hex }: FileHash): string =>
  `${algorithm} ${hex.slice(0, 2 * comparedBytes)}`;

const findStrongest = (hashes: readonly FileHash[]): HashAlgorithm | undefined =>
  hashAlgorithms.findLast((one) => hashes.some(({ algorithm }) => algorithm === one));

/**
 * Compares hashes of a lockfile with the pinned hashes. Each must be pinned, since a package manager may install any of
 * the files. Clients verify the strongest hash, so weaker ones alone prove nothing.
 */
export const compareContent = (
  given: readonly FileHash[],
  { hashes: pinned, isPartial = false }: Pick<PinnedFiles, 'hashes' | 'isPartial'>,
): { readonly match: ContentMatch; readonly other?: FileHash } => {
  const algorithms = new Set(pinned.map(({ algorithm }) => algorithm));
  const keys = new Set(pinned.map(toKey));
  const other = given.find((one) => algorithms.has(one.algorithm) && !keys.has(toKey(one)));
  if (other) return isPartial ? { match: 'unknown' } : { match: 'other', other };
  const strongest = findStrongest(given);
  return { match: strongest && algorithms.has(strongest) ? 'same' : 'unknown' };
};

/** Returns a digest that is equal for equal files; undefined if upstream shows no hashes. */
export const digestPinnedFiles = (manifest: Manifest): string | undefined => {
  const hashes = listPinnedFiles(manifest).hashes.map(
    ({ algorithm, hex }) => `${algorithm}:${hex}`,
  );
  return hashes.length > 0 ? digest(hashes.toSorted()) : undefined;
};

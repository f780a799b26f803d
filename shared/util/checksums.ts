import { createHash } from 'node:crypto';

/** Checksums that repositories publish beside each file, by their number of hexadecimal digits. */
export const checksumDigits = { sha1: 40, sha256: 64, sha512: 128, md5: 32 } as const;

export type ChecksumAlgorithm = keyof typeof checksumDigits;

export const checksumAlgorithms: readonly ChecksumAlgorithm[] = ['sha1', 'sha256', 'sha512', 'md5'];

/** Known checksums of one file, in lower-case hexadecimal digits. */
export type Checksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;

export const digest = (algorithm: ChecksumAlgorithm, content: Buffer | string): string =>
  createHash(algorithm).update(content).digest('hex');

/** Returns all checksums of a content. */
export const digestAll = (content: Buffer): Checksums =>
  Object.fromEntries(checksumAlgorithms.map((one) => [one, digest(one, content)]));

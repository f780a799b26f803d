import { createHash } from 'node:crypto';

/** The checksums that repositories have beside each file, and how many hexadecimal digits each has. */
export const checksumDigits = { sha1: 40, sha256: 64, sha512: 128, md5: 32 } as const;

export type ChecksumAlgorithm = keyof typeof checksumDigits;

export const checksumAlgorithms: readonly ChecksumAlgorithm[] = ['sha1', 'sha256', 'sha512', 'md5'];

/** Checksums of one file in lower-case hexadecimal digits, as far as they are known. */
export type Checksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;

export const digest = (algorithm: ChecksumAlgorithm, content: Buffer | string): string =>
  createHash(algorithm).update(content).digest('hex');

/** All checksums of what was read. */
export const digestAll = (content: Buffer): Checksums =>
  Object.fromEntries(checksumAlgorithms.map((one) => [one, digest(one, content)]));

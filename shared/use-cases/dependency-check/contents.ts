import { hasHashedLockfiles } from '../../ecosystems/rules.ts';
import type { Finding } from './findings.ts';

/** Of how many versions that are allowed the content was compared with what was reviewed, and how many have other content. */
export interface ContentCounts {
  readonly same: number;
  readonly other: number;
  /** Nothing is known at the registry to compare with. */
  readonly unknown: number;
  /** No file has a hash that could be compared. */
  readonly without_hash: number;
}

/** Returns true if lockfiles of the ecosystem have hashes. Images are compared by their digests. */
const isHashed = (ecosystem: Finding['ecosystem']): boolean =>
  ecosystem !== null && hasHashedLockfiles[ecosystem];

/** Counts of which versions the content was compared. */
export const countContents = (findings: readonly Finding[]): ContentCounts => {
  // What is not allowed is not installed, whatever its content.
  const used = findings.filter(({ version, allowed }) => version !== null && allowed);
  const count = (some: readonly Finding[], content: Finding['content']): number =>
    some.filter((finding) => finding.content === content).length;
  const bare = used.filter(
    ({ ecosystem, content }) => content === undefined && isHashed(ecosystem),
  );
  return {
    ...{ same: count(used, 'same'), unknown: count(used, 'unknown') },
    other: count(findings, 'other'),
    without_hash: bare.length,
  };
};

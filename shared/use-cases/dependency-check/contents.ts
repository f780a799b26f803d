import { hasHashedLockfiles } from '../../ecosystems/rules.ts';
import type { Finding } from './findings.ts';

/** Counts of versions by content: equal to the reviewed content, different, or not comparable. */
export interface ContentCounts {
  readonly same: number;
  readonly other: number;
  /** The registry has no reviewed content to compare with. */
  readonly unknown: number;
  /** The project's files have no hash to compare. */
  readonly without_hash: number;
}

/** Returns true if lockfiles of the ecosystem have hashes. Images are compared by their digests. */
const isHashed = (ecosystem: Finding['ecosystem']): boolean =>
  ecosystem !== null && hasHashedLockfiles[ecosystem];

/** Returns counts of the content comparisons in some findings. */
export const countContents = (findings: readonly Finding[]): ContentCounts => {
  // Only allowed versions count here, because others are not installed anyway.
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

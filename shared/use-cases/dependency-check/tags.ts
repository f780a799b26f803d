import { isDigestVersion } from '../../domain/packages/digest-version.ts';
import { type Finding, isOwnFinding } from './findings.ts';

/** Counts of allowed images that files name by a tag alone. */
export interface TagCounts {
  /** The approval pinned a digest. */
  readonly pinned: number;
  /** The approval knew no digest. */
  readonly not_pinned: number;
}

/** Returns true if an allowed image is named by its tag alone, which may name another image tomorrow. */
const isTag = (finding: Finding): boolean =>
  finding.ecosystem === 'docker' &&
  finding.status === 'approved' &&
  finding.allowed &&
  finding.digest === undefined &&
  !isDigestVersion(finding.version ?? '') &&
  !isOwnFinding(finding);

/** Finding of an allowed tag whose approval pinned a digest. */
export type PinnedTag = Finding & { readonly version: string; readonly pinned_digest: string };

const isPinnedTag = (finding: Finding): finding is PinnedTag =>
  isTag(finding) && finding.version !== null && finding.pinned_digest !== undefined;

/** Returns the findings of allowed tags whose approvals pinned digests. */
export const listPinnedTags = (findings: readonly Finding[]): readonly PinnedTag[] =>
  findings.filter(isPinnedTag);

/** Returns the number of allowed tags, with and without a pinned digest. */
export const countTags = (findings: readonly Finding[]): TagCounts => {
  const pinned = listPinnedTags(findings).length;
  return { pinned, not_pinned: findings.filter(isTag).length - pinned };
};

/** Returns one sentence on an allowed tag. */
export const explainTag = ({ name, version, pinned_digest }: PinnedTag): string =>
  `${name}:${version} is a tag: pinned to ${pinned_digest} at approval.`;

import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import { chooseUpdates, fixesAll, listUpdates } from '../../domain/packages/choose-updates.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { isWithinReach, type Reach } from '../../domain/packages/reach.ts';
import type { KnownVersions } from '../../domain/packages/release-list.ts';
import { compareByEcosystem, findHighest } from '../../domain/packages/version-order.ts';
import { mostFixes } from '../../domain/review/automatic-submission.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { countEntry, listEntries } from '../../domain/vulnerabilities/scan-summary.ts';
import { judgeCounts, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { readReviewFile } from '../../storage/reviews/review-file.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { findKnownVersions } from './known-versions.ts';
import { type AgeRules, findSettledBefore } from './settled-before.ts';

interface FollowContext {
  /** Largest step of an update. */
  readonly reach: Reach;
  readonly ages: AgeRules;
  readonly policy: ScanPolicy;
  readonly now: Date;
  /** Returns the versions of the package in the registry; read for each version if omitted. */
  readonly findKnown?: () => Promise<KnownVersions>;
}

/** What upstream shows of a version and its package, as far as updates depend on it. */
interface FoundReleases extends Pick<CollectedRelease, 'releases'> {
  readonly facts: Pick<CollectedRelease['facts'], 'found'>;
}

/**
 * Returns the vulnerabilities by which a version fails, as the registry's own scan reports them, without accepted ones. An upload
 * could invent a vulnerability, and the version that fixes it. Makes no call if the scans do not fail.
 */
const findFailures = async (
  id: PackageId,
  { counts }: ReviewState,
  policy: ScanPolicy,
): Promise<readonly Vulnerability[]> => {
  if (judgeCounts(policy, counts) !== 'failed') return [];
  return listEntries(await readReviewFile(id))
    .filter((entry) => !entry.acceptance && judgeCounts(policy, countEntry(entry)) === 'failed')
    .flatMap(({ members }) => members.find(({ source }) => source.isTrusted)?.finding ?? []);
};

/** Returns the newest pending version within reach that ends all failures; undefined without failures. */
const findPendingFix = (
  { ecosystem, version }: PackageId,
  known: KnownVersions,
  failures: readonly Vulnerability[],
  reach: Reach,
): string | undefined => {
  const pending = [...known].flatMap(([other, status]) => (status === 'pending' ? [other] : []));
  const fixes = pending.filter(
    (other) =>
      isWithinReach(ecosystem, version, other, reach) &&
      compareByEcosystem(ecosystem, other, version) > 0 &&
      fixesAll(ecosystem, other, failures),
  );
  return findHighest(ecosystem, fixes);
};

/**
 * Returns requests to submit newer versions of an approved version: the newest one within reach, and the newest one that is
 * old enough for the rules. A version that ends all failures of the scans is a security fix, also if it is pending already.
 * Without newer versions and failures, no call is made.
 */
export const findUpdates = async (
  id: PackageId,
  head: ReviewState,
  { facts, releases }: FoundReleases,
  { reach, ages, policy, now, findKnown = () => findKnownVersions(id, now) }: FollowContext,
): Promise<readonly SubmissionRequest[]> => {
  if (statusAt(head, now) !== 'approved' || facts.found !== 'yes' || !releases) return [];
  const { ecosystem, name, version } = id;
  const updates = listUpdates(id, { releases, known: new Map(), reach });
  if (updates.length === 0) return [];
  const failures = await findFailures(id, head, policy);
  const known = await findKnown();
  const pendingFix = findPendingFix(id, known, failures, reach);
  const settledBefore = findSettledBefore(ages, ecosystem, now);
  const missing = chooseUpdates(id, { releases: updates, known, reach, settledBefore });
  const chosen = [...missing, ...(pendingFix === undefined ? [] : [pendingFix])];
  const ends = failures.map((failure) => failure.id).slice(0, mostFixes);
  return chosen.map((one) => {
    const isFix = fixesAll(ecosystem, one, failures);
    return {
      ...{ ecosystem, name, version: one, range: null, of: { ecosystem, name, version } },
      ...{ cause: isFix ? 'security_fix' : 'update', fixes: isFix ? ends : [] },
      ...{ root: null, by: null },
    };
  });
};

import type { Comparison } from '../../domain/changes/change-issues.ts';
import type { CollectedFacts, CollectedRelease } from '../../domain/facts/collected-facts.ts';
import { hasContentChanged } from '../../domain/facts/content-change.ts';
import { confirmsRemoval } from '../../domain/facts/refresh-schedule.ts';
import { type FactsSummary, followFacts, summarizeFacts } from '../../domain/facts/summary.ts';
import { normalizeLicense } from '../../domain/licenses/normalize/normalize-license.ts';
import { isDigestVersion } from '../../domain/packages/digest-version.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isRemovalRecall } from '../../domain/recalls/recall.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { pinVersion } from '../../storage/packages/write-version.ts';
import { markVersion } from '../../storage/packs/pack-items.ts';
import { putRemoval } from '../../storage/recalls/removal-rows.ts';
import { findRecords, putFacts, type SavedFacts } from '../../storage/reviews/facts-items.ts';
import { putReleaseDetails } from '../../storage/reviews/release-details-items.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { EvidenceChangedError } from '../../storage/reviews/review-state-writes.ts';
import { isSameJson } from '../../util/json.ts';
import { changeEvidence, type EvidenceContext } from '../review/change-evidence.ts';
import { type CollectedComparison, compareCollected } from './compare-collected.ts';
import type { Answer } from './facts-collection.ts';
import type { ComparisonContext } from './first-publications.ts';
import { joinPackage, planRefresh, type ScheduleContext } from './plan-refresh.ts';
import { tryToScheduleRefresh } from './schedule-refresh.ts';

type FactsContext = Omit<EvidenceContext, 'actor'> & ComparisonContext & ScheduleContext;

/** Fetched metadata with its digest, and with the result of a comparison, if there is one. */
interface NewFacts extends Answer, SavedFacts {
  readonly comparison: Comparison | undefined;
}

/**
 * True if the fetched metadata, its comparison or its provenance differs from the saved one. An unknown result never replaces
 * saved metadata.
 */
const isNews = (
  head: ReviewState,
  { facts, digest, comparison, provenance }: NewFacts,
): boolean => {
  if (head.facts === null) return true;
  if (facts.found === 'unknown') return false;
  const isOther = (found: object | undefined, known: object | undefined): boolean =>
    found !== undefined && !isSameJson(found, known);
  return (
    head.facts.digest !== digest ||
    isOther(comparison, head.facts.comparison) ||
    isOther(provenance, head.facts.provenance)
  );
};

/** Returns the comparison of a pending version; none after the decision, which is about what the reviewer saw. */
const compare = (
  id: PackageId,
  { status }: ReviewState,
  collected: Answer,
  context: FactsContext,
): Promise<CollectedComparison> | undefined =>
  status === 'pending' && collected.facts.found === 'yes'
    ? compareCollected(id, collected, context)
    : undefined;

/**
 * Returns the writes that report a removal upstream to the recalls, once it is confirmed, or the return of the pinned files of
 * a recalled version. The decision on an approved version has seen a removal before it.
 */
const reportRemoval = (
  id: PackageId,
  head: ReviewState,
  { facts, digest }: Pick<CollectedFacts, 'facts'> & { readonly digest: string },
  now: Date,
): Write[] => {
  const at = now.toISOString();
  const { found, name_found, reason } = facts;
  if (found === 'no') {
    const isReported =
      head.status === 'approved' &&
      !head.known_withdrawal.removed &&
      confirmsRemoval(head.facts, now);
    return isReported ? [putRemoval(id, { kind: 'gone', at, hasName: name_found, reason })] : [];
  }
  const isBack = found === 'yes' && isRemovalRecall(head.recall) && digest === head.recall?.pinned;
  return isBack ? [putRemoval(id, { kind: 'back', at })] : [];
};

/** Returns the summary after a fetch without changes. */
const confirm = (
  { listing: _, ...known }: FactsSummary,
  { facts, listing }: CollectedRelease,
  now: Date,
): FactsSummary => {
  const { newest_version } = facts;
  const shown = listing === undefined ? {} : { listing };
  return { ...known, ...shown, newest_version, checked_at: now.toISOString() };
};

/** True for a tag of an image, which its publisher can move to other content at any time. */
const isTag = ({ ecosystem, version }: PackageId): boolean =>
  ecosystem === 'docker' && !isDigestVersion(version);

/**
 * True if metadata shows the approved content, although it arrived after the approval. Metadata of a version that its origin
 * did not have at first was not reviewed, nor was the image that a tag has by now.
 */
const showsApproved = (id: PackageId, { facts }: ReviewState): boolean =>
  !isTag(id) && (facts === null || facts.found === 'unknown');

/** Pins an approved version without a pin to its first upstream metadata. Later metadata was not reviewed. */
const pinLate = (id: PackageId, head: ReviewState, facts: FactsSummary) => {
  const { status, pinned, revision } = head;
  if (status !== 'approved' || pinned || !showsApproved(id, head) || facts.found !== 'yes') {
    return { writes: [] };
  }
  const { digest } = facts;
  const refuse = () => new EvidenceChangedError('Somebody decided meanwhile');
  return {
    origin: { pinned: digest },
    writes: [
      pinVersion(id, { revision, pinned: digest }, refuse),
      ...markVersion(id, { revision, pinned: digest }),
    ],
  };
};

/** True if upstream files of an approved version changed after its approval, or first appeared after it. */
const hasOtherContent = async (
  id: PackageId,
  head: ReviewState,
  { facts, manifest }: Answer,
): Promise<boolean> => {
  if (head.status !== 'approved' || facts.found !== 'yes') return false;
  if (!head.pinned) return !showsApproved(id, head);
  const records = await findRecords([{ ...id, digest: head.pinned }]);
  const before = records.get(toVersionKey(id))?.manifest;
  return Boolean(before && manifest && hasContentChanged(before, manifest));
};

/** Returns the normalization of the declared license, to store beside the new summary. */
const normalizeUpstream = ({
  license_statement,
}: FactsSummary): Pick<ReviewState, 'upstream_normalization'> => ({
  upstream_normalization:
    license_statement === null ? undefined : normalizeLicense(license_statement),
});

/** Returns the summary of new metadata. */
const toNewSummary = (
  known: FactsSummary | null,
  { facts, listing, provenance, digest, comparison = known?.comparison }: NewFacts,
  { now, isOther }: { readonly now: Date; readonly isOther: boolean },
): FactsSummary => ({
  ...followFacts(known, summarizeFacts(facts, digest, now)),
  ...(listing !== undefined && { listing }),
  ...(comparison && { comparison }),
  ...(provenance && { provenance }),
  ...(isOther && { content_changed: true }),
});

/**
 * Returns the next refresh of a version alone. A version that can be refreshed with its package joins it first: if the write of
 * the version then fails, the package is only refreshed once more.
 */
const planOrJoin = async (
  id: PackageId,
  head: ReviewState,
  facts: FactsSummary,
  { kept, context }: { readonly kept: NewFacts; readonly context: FactsContext },
) => {
  const { joins, ...plan } = planRefresh(id, head, facts, kept, context);
  if (!joins) return plan;
  await joinPackage(id, facts, context);
  return { ...plan, refresh_at: undefined };
};

/**
 * Saves fetched upstream metadata of a version, and updates its review state, its attention row and its refresh schedule.
 * An unavailable origin leaves earlier metadata unchanged. A removal upstream is reported to the recalls.
 */
export const saveFacts = async (
  id: PackageId,
  collected: Answer,
  context: FactsContext,
): Promise<void> => {
  const { now, watchesRemovals = false } = context;
  const details = await putReleaseDetails(id, collected);
  const head = await readReviewState(id);
  const compared = await compare(id, head, collected, context);
  const kept: NewFacts = {
    ...collected,
    ...putFacts(id, collected),
    comparison: compared?.comparison,
    // Incomplete comparisons are repeated as soon as failed fetches.
    passing: collected.passing === true || compared?.isComplete === false,
  };
  const lasting = [...details, ...(compared?.writes ?? [])];
  const report = (current: ReviewState): Write[] =>
    watchesRemovals ? reportRemoval(id, current, kept, now) : [];
  if (head.facts && !isNews(head, kept)) {
    const isUnknown = collected.facts.found === 'unknown' && head.facts.found !== 'unknown';
    const facts = isUnknown ? head.facts : confirm(head.facts, collected, now);
    const fields = { facts, ...(await planOrJoin(id, head, facts, { kept, context })) };
    // A concurrent fetch may win the optimistic lock; then this update is dropped.
    await tryToScheduleRefresh(id, head, fields, {
      ...context,
      writes: [...report(head), ...lasting],
    });
    return;
  }
  const isOther = await hasOtherContent(id, head, collected);
  const first = toNewSummary(head.facts, kept, { now, isOther });
  const next = await planOrJoin(id, head, first, { kept, context });
  await changeEvidence(
    id,
    (file) => {
      if (!isNews(file.head, kept)) return undefined;
      // A concurrent decision may have changed the pin and the schedule, so the caller must start again.
      if (file.head.revision !== head.revision) throw new EvidenceChangedError('Somebody decided');
      const facts = toNewSummary(file.head.facts, kept, { now, isOther });
      const { origin, writes } = pinLate(id, file.head, facts);
      return {
        after: file,
        origin: { facts, ...normalizeUpstream(facts), ...next, ...origin },
        writes: [...kept.writes, ...lasting, ...report(file.head), ...writes],
      };
    },
    { ...context, actor: anonymous },
  );
};

import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import { chooseNextRefresh } from '../../domain/facts/refresh-schedule.ts';
import { hasContentChanged } from '../../domain/facts/republished.ts';
import { type FactsSummary, summarizeFacts } from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { pinVersion } from '../../storage/packages/write-version.ts';
import { moveFactsDue } from '../../storage/reviews/facts-due.ts';
import { findRecords, putFacts, type SavedFacts } from '../../storage/reviews/facts-items.ts';
import {
  EvidenceChangedError,
  type ReviewState,
  readReviewState,
} from '../../storage/reviews/review-state.ts';
import { changeEvidence, type EvidenceContext } from '../review/change-evidence.ts';
import { tryToScheduleRefresh } from './schedule-refresh.ts';

/** What came of asking an origin. */
export interface Answer extends CollectedFacts {
  /** Whether it could not be asked for a reason that may soon be over. */
  readonly passing?: boolean;
  /** How long the origin asks to wait, if it does. */
  readonly retryAfterMs?: number | null;
}

type FactsContext = Omit<EvidenceContext, 'actor'> & {
  /** After how many hours an origin is asked again that had the version. */
  readonly everyHours: number;
};

/** Whether an origin says what it had said; or nothing, where it had said something. */
const isNews = (head: ReviewState, { facts }: CollectedFacts, { digest }: SavedFacts): boolean =>
  head.facts === null || (head.facts.digest !== digest && facts.found !== 'unknown');

/** What is known with an answer that brings nothing new. */
const confirm = (known: FactsSummary, { facts }: CollectedFacts, now: Date): FactsSummary =>
  facts.found === 'unknown' && known.found !== 'unknown'
    ? known
    : { ...known, newest_version: facts.newest_version, asked_at: now.toISOString() };

/**
 * Pins a version to the first facts of it that come after its approval: what comes later was not reviewed, nor what comes
 * to an origin that did not have the version then.
 */
const pinLate = (
  id: PackageId,
  { status, pinned, revision, ...head }: ReviewState,
  facts: FactsSummary,
) => {
  const isFirst = head.facts === null || head.facts.found === 'unknown';
  if (status !== 'approved' || pinned || !isFirst || facts.found !== 'yes') return { writes: [] };
  const { digest } = facts;
  const refuse = () => new EvidenceChangedError('Somebody decided meanwhile');
  return {
    origin: { pinned: digest },
    writes: [pinVersion(id, { revision, pinned: digest }, refuse)],
  };
};

/** Whether an approved version is there with other files than it was approved with, or where it was not. */
const isOther = async (
  id: PackageId,
  head: ReviewState,
  { facts, manifest }: Answer,
): Promise<boolean> => {
  if (head.status !== 'approved' || facts.found !== 'yes') return false;
  if (!head.pinned) return head.facts !== null && head.facts.found !== 'unknown';
  const records = await findRecords([{ ...id, digest: head.pinned }]);
  const before = records.get(toVersionKey(id))?.manifest;
  return Boolean(before && manifest && hasContentChanged(before, manifest));
};

/**
 * Keeps what the origin of a version says of it, with all that follows: what decisions see, whether the version needs
 * attention, and when the origin is asked again. An origin that cannot be asked takes nothing back of what it had said.
 */
export const saveFacts = async (
  id: PackageId,
  collected: Answer,
  context: FactsContext,
): Promise<void> => {
  const { now, everyHours } = context;
  const kept = putFacts(id, collected);
  const head = await readReviewState(id);
  const { passing = false, retryAfterMs = null } = collected;
  const failures = head.refresh_failures ?? 0;
  const asked = { found: collected.facts.found, passing, failures, retryAfterMs };
  const refresh_at = chooseNextRefresh(asked, { now, everyHours });
  const refresh_failures = passing ? failures + 1 : 0;
  if (head.facts && !isNews(head, collected, kept)) {
    const facts = confirm(head.facts, collected, now);
    // Whoever asks at the same moment may keep it from being noted.
    await tryToScheduleRefresh(id, head, { facts, refresh_at, refresh_failures }, context.deadline);
    return;
  }
  const other = await isOther(id, head, collected);
  await changeEvidence(
    id,
    (file) => {
      if (!isNews(file.head, collected, kept)) return undefined;
      // Then something else may be pinned, and all of this begins anew.
      if (file.head.revision !== head.revision) throw new EvidenceChangedError('Somebody decided');
      const facts: FactsSummary = {
        ...summarizeFacts(collected.facts, kept.digest, now),
        ...(other && { republished: true }),
      };
      const { origin, writes } = pinLate(id, file.head, facts);
      return {
        after: file,
        origin: { facts, refresh_at, refresh_failures, ...origin },
        writes: [...kept.writes, ...moveFactsDue(id, file.head.refresh_at, refresh_at), ...writes],
      };
    },
    { ...context, actor: anonymous },
  );
};

import type { FactsSummary } from '../../domain/facts/summary.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { QueueEvent } from '../../platform/worker/events/queue-event.ts';
import { readMessage } from '../../platform/worker/read-message.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { type Answer, saveFacts } from './save-facts.ts';
import { saveOriginState } from './save-origin-state.ts';

/** Asks the origin of a version. Where that cannot be asked, the facts say so; it throws for faults of our own alone. */
export type FetchFromOrigin = (id: PackageId) => Promise<Answer>;

/** What asks origins about versions and keeps what they say. */
export interface FactsCollection {
  readonly ask: FetchFromOrigin;
  readonly policy: ScanPolicy;
  /** After how many hours an origin is asked again that had the version. */
  readonly everyHours: number;
  readonly deadline: Deadline;
}

/** Two answers of the longest kind that is read fit into a function's memory together. */
const parallelQuestions = 2;

/** Messages come at least once: who was asked so shortly before is not asked again. */
const freshMs = 5 * 60_000;
/** What is not known is asked for again after a minute. */
const freshUnknownMs = 30_000;

const isFresh = (known: FactsSummary | null): boolean =>
  known !== null &&
  Date.now() - Date.parse(known.asked_at) < (known.found === 'unknown' ? freshUnknownMs : freshMs);

/** Which origins answered so far, and which could not be asked. */
interface Outcomes {
  readonly answered: Set<Ecosystem>;
  readonly failed: Set<Ecosystem>;
}

/** Asks about one version, and keeps what its origin says; resolves to whether that is done, by whomever. */
const collectOne = async (
  id: PackageId,
  collection: FactsCollection,
  outcomes: Outcomes,
): Promise<boolean> => {
  const { ask, policy, everyHours, deadline } = collection;
  const { ecosystem, name, version } = id;
  try {
    const { facts: known } = await readReviewState(id);
    if (isFresh(known)) return true;
    const collected = await ask(id);
    (collected.passing ? outcomes.failed : outcomes.answered).add(ecosystem);
    const { found, reason } = collected.facts;
    if (found === 'unknown') {
      logEvent('warn', 'facts_unknown', { ecosystem, name, version, reason });
    }
    await saveFacts(id, collected, { now: new Date(), policy, everyHours, deadline });
    return true;
  } catch (error) {
    logEvent('error', 'facts_not_kept', { ecosystem, name, version, error });
    return false;
  }
};

/**
 * Asks the origins of some versions what they say of them. What failed by our own fault is told to the queue, message by
 * message, which has it tried again; an origin that cannot be asked is asked again by the clock.
 * @throws {Error} where nothing could be done at all, so that it is noticed
 */
export const collectFacts = async (
  { Records }: QueueEvent,
  collection: FactsCollection,
): Promise<BatchAnswer> => {
  const origins: Outcomes = { answered: new Set(), failed: new Set() };
  const outcomes = await runInParallel(Records, parallelQuestions, async (record) => {
    const { messageId, version } = readMessage(record);
    const isDone = version !== undefined && (await collectOne(version, collection, origins));
    return { messageId, isDone };
  });
  await saveOriginState(origins, collection.deadline);
  const failed = outcomes.filter(({ isDone }) => !isDone);
  if (failed.length > 0 && failed.length === Records.length) {
    throw new Error(
      `The facts of none of ${failed.length} versions could be kept; all are tried again`,
    );
  }
  return reportFailures(failed.map(({ messageId }) => messageId));
};

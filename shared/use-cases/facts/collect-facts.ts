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
import type { FollowUp } from '../submissions/follow-up.ts';
import type { CheckProvenance } from './check-provenance.ts';
import type { FindFirstPublication } from './first-publications.ts';
import { type Answer, saveFacts } from './save-facts.ts';
import { saveOriginState } from './save-origin-state.ts';

/**
 * Returns upstream metadata of a version. An unavailable origin is reported in that metadata; only the registry's own
 * faults are thrown.
 */
export type FetchFromOrigin = (id: PackageId) => Promise<Answer>;

/** Dependencies and settings of a batch of origin fetches. */
export interface FactsCollection {
  readonly ask: FetchFromOrigin;
  readonly findFirstPublication: FindFirstPublication;
  readonly checkProvenance: CheckProvenance;
  readonly policy: ScanPolicy;
  /** Hours until the next refresh of a version that its origin has. */
  readonly everyHours: number;
  /** True to watch young approved versions for a removal upstream. */
  readonly watchesRemovals: boolean;
  readonly deadline: Deadline;
  /** Called after the metadata of a version is saved. */
  readonly followUp: FollowUp;
}

/** Two responses of the maximum size fit into a function's memory at once. */
const parallelQuestions = 2;

/** SQS delivers a message at least once. A version fetched less than 5 minutes ago is not fetched again. */
const freshMs = 5 * 60_000;
/** Shorter for unknown metadata and incomplete comparisons, which are fetched again after a minute. */
const freshUnknownMs = 30_000;

const isIncomplete = ({ found, comparison }: FactsSummary): boolean =>
  found === 'unknown' || (comparison?.unknown ?? []).includes('new_dependency_young');

const isFresh = (known: FactsSummary | null): boolean =>
  known !== null &&
  Date.now() - Date.parse(known.checked_at) < (isIncomplete(known) ? freshUnknownMs : freshMs);

/** Origins that answered so far, and origins that were unavailable. */
interface Outcomes {
  readonly answered: Set<Ecosystem>;
  readonly failed: Set<Ecosystem>;
}

/** Fetches and saves upstream metadata of one version. Returns true if that metadata is now fresh. */
const collectOne = async (
  id: PackageId,
  collection: FactsCollection,
  outcomes: Outcomes,
): Promise<boolean> => {
  const { ask, checkProvenance, followUp, ...settings } = collection;
  const { ecosystem, name, version } = id;
  try {
    const head = await readReviewState(id);
    const { facts: known } = head;
    if (isFresh(known)) return true;
    const collected = await ask(id);
    (collected.passing ? outcomes.failed : outcomes.answered).add(ecosystem);
    const { found, reason } = collected.facts;
    if (found === 'unknown') {
      logEvent('warn', 'facts_unknown', { ecosystem, name, version, reason });
    }
    const provenance = await checkProvenance(id, collected, known?.provenance);
    const checked = { ...collected, ...(provenance && { provenance }) };
    await saveFacts(id, checked, { now: new Date(), ...settings });
    await followUp(id, head, checked);
    return true;
  } catch (error) {
    logEvent('error', 'facts_not_kept', { ecosystem, name, version, error });
    return false;
  }
};

/**
 * Fetches and saves upstream metadata of the queued versions. Reports the registry's own failures to the queue, message by
 * message, for another delivery. An unavailable origin is not a failure: the refresh schedule retries it.
 * @throws {Error} if every message of the batch failed, so that an alarm is raised
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

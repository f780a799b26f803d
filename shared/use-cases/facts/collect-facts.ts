import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { FactsSummary } from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { hubHost, toImageAddress } from '../../ecosystems/docker/origin/image-address.ts';
import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { QueueEvent } from '../../platform/worker/events/queue-event.ts';
import { QueuedRefresh } from '../../platform/worker/events/queued-refresh.ts';
import { parseBody } from '../../platform/worker/read-message.ts';
import { findRecords } from '../../storage/reviews/facts-items.ts';
import { findReleaseDetails } from '../../storage/reviews/release-details-items.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import type { FactsCollection, Outcomes } from './facts-collection.ts';
import { isClosed } from './plan-refresh.ts';
import { refreshPackage } from './refresh-package.ts';
import { saveFacts } from './save-facts.ts';
import { saveOriginState } from './save-origin-state.ts';
import { tryToScheduleRefresh } from './schedule-refresh.ts';

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

/** Message about one version. */
type VersionMessage = Extract<QueuedRefresh, PackageId>;

/** True if a message has nothing to do any more: its refresh has another time by now, or the metadata is fresh. */
const isDone = ({ due_at }: VersionMessage, { facts, refresh_at }: ReviewState): boolean =>
  due_at === undefined ? isFresh(facts) : due_at !== refresh_at;

/**
 * Returns the stored metadata of an image. With it, one request for headers shows whether the image has changed, and registries
 * limit the other requests.
 */
const findKnownImage = async (
  id: PackageId,
  { facts }: ReviewState,
): Promise<CollectedRelease | undefined> => {
  if (id.ecosystem !== 'docker' || facts?.found !== 'yes') return undefined;
  const records = await findRecords([{ ...id, digest: facts.digest }]);
  const record = records.get(toVersionKey(id));
  const details = record && (await findReleaseDetails(id, record.manifest));
  return record && { ...record, ...(details && { details }) };
};

/** True if the fetch was from an origin that all packages of the ecosystem have. Images have many registries. */
const isOfSharedOrigin = ({ ecosystem, name }: PackageId): boolean =>
  ecosystem !== 'docker' || toImageAddress(name).host === hubHost;

/** Fetches and saves upstream metadata of one version. Returns true if that metadata is now fresh. */
const collectOne = async (
  message: VersionMessage,
  collection: FactsCollection,
  outcomes: Outcomes,
): Promise<boolean> => {
  const { ask, checkProvenance, followUp, ...settings } = collection;
  const { ecosystem, name, version } = message;
  const id = { ecosystem, name, version };
  try {
    const head = await readReviewState(id);
    const { facts: known } = head;
    if (isDone(message, head)) return true;
    if (message.due_at !== undefined && isClosed(head)) {
      await tryToScheduleRefresh(id, head, { refresh_at: undefined }, settings);
      return true;
    }
    const collected = await ask(id, await findKnownImage(id, head));
    if (isOfSharedOrigin(id)) {
      (collected.passing ? outcomes.failed : outcomes.answered).add(ecosystem);
    }
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

const collect = (
  message: QueuedRefresh,
  collection: FactsCollection,
  outcomes: Outcomes,
): Promise<boolean> =>
  'version' in message
    ? collectOne(message, collection, outcomes)
    : refreshPackage(message, collection, outcomes);

/**
 * Fetches and saves upstream metadata of the queued versions and packages. Reports the registry's own failures to the queue, message by
 * message, for another delivery. An unavailable origin is not a failure: the refresh schedule retries it.
 * @throws {Error} if every message of the batch failed, so that an alarm is raised
 */
export const collectFacts = async (
  { Records }: QueueEvent,
  collection: FactsCollection,
): Promise<BatchAnswer> => {
  const origins: Outcomes = { answered: new Set(), failed: new Set() };
  const outcomes = await runInParallel(Records, parallelQuestions, async (record) => {
    const { messageId } = record;
    const message = parseBody(QueuedRefresh, record);
    const isDone = message !== undefined && (await collect(message, collection, origins));
    return { messageId, isDone };
  });
  await saveOriginState(origins, collection.deadline);
  const failed = outcomes.filter(({ isDone }) => !isDone);
  if (failed.length > 0 && failed.length === Records.length) {
    throw new Error(
      `The facts of none of ${failed.length} versions or packages could be kept; all are tried again`,
    );
  }
  return reportFailures(failed.map(({ messageId }) => messageId));
};

import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { ReviewStateStream } from '../../platform/worker/events/head-stream.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';

const parallelVersions = 4;

/** Kept back of the worker's time: what is not begun by then comes again. */
const reserveMs = 20_000;

type HeadRecord = ReviewStateStream['Records'][number];

/** What follows from changes of heads. */
interface HeadWork {
  /** Whether nothing follows from a change. */
  readonly isIdle: (record: HeadRecord) => boolean;
  /** Does what follows for a version, by its key. */
  readonly work: (version: string) => Promise<unknown>;
  /** What is done to versions, to be said where that failed: `listed`. */
  readonly what: string;
  readonly deadline: Deadline;
}

/** Whether the work was done. One that fails costs no other its turn. */
const tryWork = async (version: string, { work, what, deadline }: HeadWork): Promise<boolean> => {
  try {
    if (deadline.remainingMs() < reserveMs) throw new Error('No time is left for this version');
    await work(version);
    return true;
  } catch (error) {
    logEvent('error', `version_not_${what}`, { version, error });
    return false;
  }
};

/**
 * Does what follows from changes of heads, once for each version. All of a batch are gone through; from the first one
 * that failed on they come again.
 * @throws {Error} where that is the first of all, so that it is noticed
 */
export const handleReviewStateChanges = async (
  { Records }: ReviewStateStream,
  headWork: HeadWork,
): Promise<BatchAnswer> => {
  const records = Records.filter((record) => !headWork.isIdle(record));
  const versions = [...new Set(records.map(({ dynamodb }) => dynamodb.Keys.v.S))];
  const areDone = await runInParallel(versions, parallelVersions, (version) =>
    tryWork(version, headWork),
  );
  const failed = new Set(versions.filter((_, at) => !areDone[at]));
  const first = Records.find(({ dynamodb }) => failed.has(dynamodb.Keys.v.S));
  if (!first) return reportFailures([]);
  if (first === Records[0]) {
    throw new Error(`${failed.size} of ${versions.length} versions could not be ${headWork.what}`);
  }
  return reportFailures([first.dynamodb.SequenceNumber]);
};

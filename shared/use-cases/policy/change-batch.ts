import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { ReviewStateStream } from '../../platform/worker/events/head-stream.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';

const parallelVersions = 4;

/** Minimum remaining time to start a version; Lambda delivers versions that were not started again. */
const reserveMs = 20_000;

type HeadRecord = ReviewStateStream['Records'][number];

/** Work to do after changes of review states. */
interface HeadWork {
  /** True if a change needs no work. */
  readonly isIdle: (record: HeadRecord) => boolean;
  /** Does the work for the version with this key. */
  readonly work: (version: string) => Promise<unknown>;
  /** Past participle of the work, for log and error messages: `listed`. */
  readonly what: string;
  readonly deadline: Deadline;
}

/** Returns true if the work succeeded. A failed version does not affect the others. */
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
 * Does the work after changes of review states, once for each version. All versions of the batch are tried; Lambda then
 * delivers the batch again from the first failed record on.
 * @throws {Error} if the first record of the batch failed, so that an alarm is raised
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

import { type BatchAnswer, reportFailures } from '../batch-answer.ts';
import type { Deadline } from '../deadline.ts';
import { anonymous } from '../domain/actor.ts';
import { defaultScanPolicy, type ScanPolicy } from '../domain/scans/judge.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { catchUpAcceptances } from '../review/catch-up-acceptances.ts';
import { HeadImage, type HeadStream } from '../schemas/head-stream.ts';
import { listVersion } from '../store/vulnerabilities/list-version.ts';

const parallelVersions = 4;

/** Kept back of the worker's time: what is not begun by then comes again. */
const reserveMs = 20_000;

type HeadRecord = HeadStream['Records'][number];

/** Whether nothing follows from a change: a scan found what was known, or a version was submitted. */
const isIdle = ({ dynamodb }: HeadRecord): boolean => {
  const { data: after } = HeadImage.safeParse(dynamodb.NewImage);
  if (!after) return false;
  if (dynamodb.OldImage === undefined) return after.slots.L.length === 0;
  const { data: before } = HeadImage.safeParse(dynamodb.OldImage);
  return before?.evidence.N === after.evidence.N && before.revision.N === after.revision.N;
};

interface IndexContext {
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
}

/** Whether a version was listed. One that could not be costs no other its turn. */
const tryListing = async (version: string, context: IndexContext): Promise<boolean> => {
  const { deadline } = context;
  try {
    if (deadline.remainingMs() < reserveMs) throw new Error('No time is left for this version');
    await listVersion(version, deadline, {
      follow: (id, ids) =>
        catchUpAcceptances(id, ids, { ...context, actor: anonymous, now: new Date() }),
    });
    return true;
  } catch (error) {
    logEvent('error', 'version_not_listed', { version, error });
    return false;
  }
};

/**
 * Lists the versions whose heads changed under every vulnerability that they have, and has what was accepted of these
 * before hold for them. All of a batch are gone through; from
 * the first one that failed on they come again, which costs those that are listed one query.
 * @throws {Error} where that is the first of all, so that it is noticed
 */
export const indexVulnerabilities = async (
  { Records }: HeadStream,
  deadline: Deadline,
  policy: ScanPolicy = defaultScanPolicy,
): Promise<BatchAnswer> => {
  const records = Records.filter((record) => !isIdle(record));
  const versions = [...new Set(records.map(({ dynamodb }) => dynamodb.Keys.v.S))];
  const areListed = await runInParallel(versions, parallelVersions, (version) =>
    tryListing(version, { deadline, policy }),
  );
  const failed = new Set(versions.filter((_, at) => !areListed[at]));
  const first = Records.find(({ dynamodb }) => failed.has(dynamodb.Keys.v.S));
  if (!first) return reportFailures([]);
  if (first === Records[0]) {
    throw new Error(`${failed.size} of ${versions.length} versions could not be listed`);
  }
  return reportFailures([first.dynamodb.SequenceNumber]);
};

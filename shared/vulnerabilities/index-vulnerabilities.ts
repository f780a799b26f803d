import type { BatchAnswer } from '../batch-answer.ts';
import type { Deadline } from '../deadline.ts';
import { anonymous } from '../domain/actor.ts';
import { defaultScanPolicy, type ScanPolicy } from '../domain/scans/judge.ts';
import { catchUpAcceptances } from '../review/catch-up-acceptances.ts';
import { workOnHeads } from '../review/head-batch.ts';
import { HeadImage, type HeadStream } from '../schemas/head-stream.ts';
import { listVersion } from '../store/vulnerabilities/list-version.ts';

type HeadRecord = HeadStream['Records'][number];

/** Whether nothing follows from a change: a scan found what was known, or a version was submitted. */
const isIdle = ({ dynamodb }: HeadRecord): boolean => {
  const { data: after } = HeadImage.safeParse(dynamodb.NewImage);
  if (!after) return false;
  if (dynamodb.OldImage === undefined) return after.slots.L.length === 0;
  const { data: before } = HeadImage.safeParse(dynamodb.OldImage);
  return before?.evidence.N === after.evidence.N && before.revision.N === after.revision.N;
};

/**
 * Lists the versions whose heads changed under every vulnerability that they have, and has what was accepted of these
 * before hold for them. Those that come again and are listed already cost one query.
 * @throws {Error} where the first of all could not be listed
 */
export const indexVulnerabilities = (
  stream: HeadStream,
  deadline: Deadline,
  policy: ScanPolicy = defaultScanPolicy,
): Promise<BatchAnswer> =>
  workOnHeads(stream, {
    isIdle,
    what: 'listed',
    deadline,
    work: (version) =>
      listVersion(version, deadline, {
        follow: (id, ids) =>
          catchUpAcceptances(id, ids, { deadline, policy, actor: anonymous, now: new Date() }),
      }),
  });

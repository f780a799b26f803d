import { anonymous } from '../../domain/tokens/actor.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import {
  ReviewStateImage,
  type ReviewStateStream,
} from '../../platform/worker/events/head-stream.ts';
import { listPoms } from '../../storage/poms/list-poms.ts';
import { hasPoms } from '../../storage/poms/pom-list.ts';
import { listVersion } from '../../storage/vulnerabilities/list-version.ts';
import type { Deadline } from '../../util/deadline.ts';
import { handleReviewStateChanges } from '../policy/change-batch.ts';
import { catchUpAcceptances } from '../vulnerability-index/catch-up-acceptances.ts';

type HeadRecord = ReviewStateStream['Records'][number];

/** True if a change needs no work: a scan found nothing new, or a version was submitted. */
const isIdle = ({ dynamodb }: HeadRecord): boolean => {
  const { data: after } = ReviewStateImage.safeParse(dynamodb.NewImage);
  if (!after) return false;
  if (dynamodb.OldImage === undefined) {
    return after.sources.L.length === 0 && after.revision.N === '0';
  }
  const { data: before } = ReviewStateImage.safeParse(dynamodb.OldImage);
  return (
    before?.evidence_revision.N === after.evidence_revision.N &&
    before.revision.N === after.revision.N
  );
};

/** Waits for all works, then throws the first error, if any. */
const doAll = async (works: readonly Promise<void>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

/**
 * Indexes all versions whose review state changed: under each of their vulnerabilities, and Maven versions also under the
 * POMs that they depend on. Adds existing acceptances to them. An unchanged version costs one query; a Maven version one
 * call more.
 * @throws {Error} if the first record of the batch could not be indexed, so that an alarm is raised
 */
export const indexVersions = (
  stream: ReviewStateStream,
  deadline: Deadline,
  policy: ScanPolicy = defaultScanPolicy,
): Promise<BatchAnswer> =>
  handleReviewStateChanges(stream, {
    isIdle,
    what: 'listed',
    deadline,
    work: (version) =>
      doAll([
        ...(hasPoms(version) ? [listPoms(version, { deadline })] : []),
        listVersion(version, deadline, {
          follow: (id, ids) =>
            catchUpAcceptances(id, ids, { deadline, policy, actor: anonymous, now: new Date() }),
        }),
      ]),
  });

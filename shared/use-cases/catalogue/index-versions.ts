import { anonymous } from '../../domain/tokens/actor.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import {
  ReviewListsImage,
  ReviewStateImage,
  type ReviewStateStream,
} from '../../platform/worker/events/head-stream.ts';
import { listPoms } from '../../storage/poms/list-poms.ts';
import { hasPoms } from '../../storage/poms/pom-list.ts';
import { indexReview } from '../../storage/reviews/index-reviews.ts';
import { listVersion } from '../../storage/vulnerabilities/list-version.ts';
import type { Deadline } from '../../util/deadline.ts';
import { handleReviewStateChanges } from '../policy/change-batch.ts';
import { catchUpAcceptances } from '../vulnerability-index/catch-up-acceptances.ts';

type HeadRecord = ReviewStateStream['Records'][number];

/** True if a change may concern vulnerabilities: not a submission, nor a scan that found nothing new. */
const concernsVulnerabilities = ({ dynamodb }: HeadRecord): boolean => {
  const { data: after } = ReviewStateImage.safeParse(dynamodb.NewImage);
  if (!after) return true;
  if (dynamodb.OldImage === undefined) {
    return after.sources.L.length > 0 || after.revision.N !== '0';
  }
  const { data: before } = ReviewStateImage.safeParse(dynamodb.OldImage);
  return (
    before?.evidence_revision.N !== after.evidence_revision.N ||
    before.revision.N !== after.revision.N
  );
};

/** True if a change concerns lists of reviews: a submission, a decision, an expired approval, or a joined batch. */
const concernsReviewLists = ({ dynamodb }: HeadRecord): boolean => {
  const { data: before } = ReviewListsImage.safeParse(dynamodb.OldImage);
  const { data: after } = ReviewListsImage.safeParse(dynamodb.NewImage);
  return (
    !before ||
    !after ||
    before.revision.N !== after.revision.N ||
    before.batches.L.length !== after.batches.L.length
  );
};

/** Waits for all works, then throws the first error, if any. */
const doAll = async (works: readonly Promise<void>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

const listKeys = (records: readonly HeadRecord[]): ReadonlySet<string> =>
  new Set(records.map(({ dynamodb }) => dynamodb.Keys.v.S));

/**
 * Indexes all versions whose review state changed: in the lists of reviews, under each of their vulnerabilities, and Maven
 * versions also under the POMs that they depend on. Adds existing acceptances to them. A change of the findings costs one
 * query if nothing is to do, and a Maven version one call more. A submission or a decision costs two reads and a write for
 * each list of reviews.
 * @throws {Error} if the first record of the batch could not be indexed, so that an alarm is raised
 */
export const indexVersions = (
  stream: ReviewStateStream,
  deadline: Deadline,
  policy: ScanPolicy = defaultScanPolicy,
): Promise<BatchAnswer> => {
  const toList = listKeys(stream.Records.filter(concernsVulnerabilities));
  const toReview = listKeys(stream.Records.filter(concernsReviewLists));
  const follow = (id: Parameters<typeof catchUpAcceptances>[0], ids: readonly string[]) =>
    catchUpAcceptances(id, ids, { deadline, policy, actor: anonymous, now: new Date() });
  return handleReviewStateChanges(stream, {
    isIdle: (record) => !concernsVulnerabilities(record) && !concernsReviewLists(record),
    what: 'listed',
    deadline,
    work: (version) =>
      doAll([
        ...(toReview.has(version) ? [indexReview(version)] : []),
        ...(toList.has(version) && hasPoms(version) ? [listPoms(version, { deadline })] : []),
        ...(toList.has(version) ? [listVersion(version, deadline, { follow })] : []),
      ]),
  });
};

import { toPackageKey } from '../../domain/packages/package-id.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { digestFindings } from '../../domain/vulnerabilities/scan-source.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import {
  AffectingImage,
  PackedImage,
  ReviewStateImage,
  type ReviewStateStream,
  SourcesImage,
} from '../../platform/worker/events/head-stream.ts';
import { findPackedPackage, updatePack } from '../../storage/packs/update-pack.ts';
import { listPoms } from '../../storage/poms/list-poms.ts';
import { hasPoms } from '../../storage/poms/pom-list.ts';
import { isAttentionDue } from '../../storage/reviews/attention.ts';
import { createBatchListing } from '../../storage/reviews/batch-list.ts';
import {
  changesRows,
  indexReview,
  type ReviewChange,
} from '../../storage/reviews/index-reviews.ts';
import { readRowSource } from '../../storage/reviews/row-source.ts';
import { listVersion } from '../../storage/vulnerabilities/list-version.ts';
import type { Deadline } from '../../util/deadline.ts';
import { handleReviewStateChanges } from '../policy/change-batch.ts';
import { type AffectingChange, recordAffected } from '../projects/record-affected.ts';
import { catchUpAcceptances } from '../vulnerability-index/catch-up-acceptances.ts';

type HeadRecord = ReviewStateStream['Records'][number];

/** True for new evidence and decisions: not for a submission, nor a scan that found nothing new. */
const concernsEvidence = ({ dynamodb }: HeadRecord): boolean => {
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

const noFindings = digestFindings([]);

/** True if a review state has findings. A scan source without a finished scan has none. */
const hasFindings = (image: unknown): boolean => {
  const { data } = SourcesImage.safeParse(image);
  return (
    !data || data.sources.L.some(({ M }) => M.finished.M && M.finished.M.digest.S !== noFindings)
  );
};

/** True if a change may concern the index of vulnerabilities: most versions have none, before and after. */
const concernsFindings = (record: HeadRecord): boolean => {
  if (!concernsEvidence(record)) return false;
  const { OldImage, NewImage } = record.dynamodb;
  return OldImage === undefined || hasFindings(OldImage) || hasFindings(NewImage);
};

/** Returns the change of a record for the lists of reviews; undefined if an image is unreadable. */
const readChange = ({ dynamodb: { OldImage, NewImage } }: HeadRecord): ReviewChange | undefined => {
  const [before, after] = [readRowSource(OldImage), readRowSource(NewImage)];
  const isReadable = OldImage === undefined || before !== undefined;
  return after && isReadable ? { before, after } : undefined;
};

/** True if a change concerns lists of reviews: it adds, replaces or deletes a row of its version. */
const concernsReviewLists = (record: HeadRecord): boolean => {
  const change = readChange(record);
  return !change || changesRows(record.dynamodb.Keys.v.S, change);
};

/** True if a change concerns the pack of the package: a decision about an approval, its expiry, or a pin. */
const concernsPack = ({ dynamodb }: HeadRecord): boolean => {
  const { data: before } = PackedImage.safeParse(dynamodb.OldImage);
  const { data: after } = PackedImage.safeParse(dynamodb.NewImage);
  if (!after) return true;
  const isApproved = [before, after].some((image) => image?.status.S === 'approved');
  return (
    isApproved &&
    (before?.revision.N !== after.revision.N || toText(before.pinned) !== toText(after.pinned))
  );
};

/** True if a version needs attention, and not only after an acceptance expires. */
const needsAttention = ({ attention, at }: AffectingImage): boolean => {
  const key = toText(attention);
  return key !== null && isAttentionDue(key, at.S);
};

/** Returns the change of an approved version that affects its users: another status, or attention from now on. */
const findAffecting = ({ dynamodb }: HeadRecord): AffectingChange | undefined => {
  const { data: before } = AffectingImage.safeParse(dynamodb.OldImage);
  const { data: after } = AffectingImage.safeParse(dynamodb.NewImage);
  if (before?.status.S !== 'approved' || !after) return undefined;
  const isAffecting =
    after.status.S !== 'approved' || (needsAttention(after) && !needsAttention(before));
  return isAffecting ? { at: after.at.S, to: after.status.S } : undefined;
};

/** Returns the last change of each version that affects its users. */
const listAffecting = (records: readonly HeadRecord[]): ReadonlyMap<string, AffectingChange> =>
  new Map(
    records.flatMap((record) => {
      const change = findAffecting(record);
      return change ? [[record.dynamodb.Keys.v.S, change]] : [];
    }),
  );

const toText = (image: PackedImage['pinned']): string | null => ('S' in image ? image.S : null);

/** Returns the change of each version that concerns lists of reviews, from its first record to its last; undefined if unreadable. */
const findReviewed = (
  records: readonly HeadRecord[],
): ReadonlyMap<string, ReviewChange | undefined> => {
  const changes = new Map<string, ReviewChange | undefined>();
  for (const record of records) {
    const version = record.dynamodb.Keys.v.S;
    const change = readChange(record);
    const first = changes.get(version);
    const isReadable = change && (first || !changes.has(version));
    changes.set(
      version,
      isReadable ? { before: (first ?? change).before, after: change.after } : undefined,
    );
  }
  return changes;
};

/** Returns the batches that a change adds to a version. */
const listNewBatches = (change: ReviewChange | undefined): readonly string[] =>
  change?.after.batches.filter((batch) => !change.before?.batches.includes(batch)) ?? [];

/** Waits for all works, then throws the first error, if any. */
const doAll = async (works: readonly Promise<void>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

const listKeys = (records: readonly HeadRecord[]): ReadonlySet<string> =>
  new Set(records.map(({ dynamodb }) => dynamodb.Keys.v.S));

/** Returns a function that updates the pack of a version's package, once for all versions of a batch. */
const createPacking = (): ((versionKey: string) => Promise<void>) => {
  const works = new Map<string, Promise<void>>();
  return async (versionKey) => {
    const of = findPackedPackage(versionKey);
    if (!of) return;
    const key = toPackageKey(of.ecosystem, of.name);
    const work = works.get(key) ?? updatePack(of, { now: new Date() });
    works.set(key, work);
    await work;
  };
};

/**
 * Indexes all versions whose review state changed: in the lists of reviews, under each of their vulnerabilities, and Maven
 * versions also under the POMs that they depend on. Adds existing acceptances to them. Costs:
 * - a submission or a decision: a write for each list of reviews with the version (pending, batches, label, licenses)
 * - a batch: a write in the list of batches, once for all versions of a call
 * - new evidence: nothing without findings; one read unit and a write where the version enters or leaves a list
 * - an approval: half a read unit more, and a write for a new name
 * - a change of an approval: one read unit, and the update of its package's pack
 * - the end of an approval, or new attention: half a read unit, and a record if projects use the version
 * - a version with findings: one query if nothing is to do; a Maven version: one call more
 * @throws {Error} if the first record of the batch could not be indexed, so that an alarm is raised
 */
export const indexVersions = (
  stream: ReviewStateStream,
  deadline: Deadline,
  policy: ScanPolicy = defaultScanPolicy,
): Promise<BatchAnswer> => {
  const changed = listKeys(stream.Records.filter(concernsEvidence));
  const toList = listKeys(stream.Records.filter(concernsFindings));
  const packed = listKeys(stream.Records.filter(concernsPack));
  const affecting = listAffecting(stream.Records);
  const pack = createPacking();
  const listBatch = createBatchListing(new Date());
  const reviewed = findReviewed(stream.Records.filter(concernsReviewLists));
  const follow = (id: Parameters<typeof catchUpAcceptances>[0], ids: readonly string[]) =>
    catchUpAcceptances(id, ids, { deadline, policy, actor: anonymous, now: new Date() });
  return handleReviewStateChanges(stream, {
    isIdle: (record) =>
      !concernsEvidence(record) &&
      !concernsReviewLists(record) &&
      !concernsPack(record) &&
      findAffecting(record) === undefined,
    what: 'listed',
    deadline,
    work: (version) =>
      doAll([
        ...(packed.has(version) ? [pack(version)] : []),
        recordAffected(version, affecting.get(version)),
        ...(reviewed.has(version) ? [indexReview(version, reviewed.get(version))] : []),
        ...listNewBatches(reviewed.get(version)).map(listBatch),
        ...(changed.has(version) && hasPoms(version) ? [listPoms(version, { deadline })] : []),
        ...(toList.has(version) ? [listVersion(version, deadline, { follow })] : []),
      ]),
  });
};

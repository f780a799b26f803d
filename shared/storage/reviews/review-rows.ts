import { listStatedLicenses } from '../../domain/licenses/stated-licenses.ts';
import type { IssueCode } from '../../domain/review/approval.ts';
import type { SubmissionCause } from '../../domain/review/automatic-submission.ts';
import { listTimelessIssues } from '../../domain/review/fact-issues.ts';
import { findMalwareIssue } from '../../domain/review/malware-records.ts';
import { rankDemand } from '../../domain/review/review-order.ts';
import type { Status } from '../../domain/review/status.ts';
import { addCounts, noCounts } from '../../domain/vulnerabilities/scan-summary.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { defineTable } from '../dynamodb/table.ts';
import {
  pendingPartition,
  severePartition,
  toBatchPartition,
  toLabelPartition,
  toLicensePartition,
  updatesPartition,
  wantedPartition,
} from './review-lists.ts';
import type { RowSource } from './row-source.ts';

/**
 * Row of a version in a list of reviews. The index worker derives it from the review state, seconds after a submission, a
 * decision, new evidence, or a joined batch.
 */
export interface ReviewRow {
  readonly v: string;
  readonly k: string;
  readonly status: Status;
  readonly submitted_by: string | null;
  /** Label of the token of the submission. */
  readonly submitter: string | null;
  /** Why the registry submitted the version itself; absent if a request of the API submitted it. */
  readonly cause?: SubmissionCause;
  /** Issues in the upstream metadata, on the row of a pending version alone. Absent without issues, as for most versions. */
  readonly signals?: readonly IssueCode[];
  /** Number of decisions on the version when the row was written. */
  readonly revision: number;
}

export const reviewRowsTable = defineTable<ReviewRow>('reviews');

/** True for a row of a pending update or security fix that the registry submitted, before the first decision. */
const isUpdateRow = ({
  status,
  cause,
  revision,
}: Pick<ReviewRow, 'status' | 'cause' | 'revision'>): boolean =>
  status === 'pending' && revision === 0 && (cause === 'update' || cause === 'security_fix');

/** Returns the version key in the sort key of a row. */
export const findRowOwner = (k: string): string => k.slice(k.indexOf('#') + 1);

/**
 * Returns the rank of a version by its vulnerabilities, 0 for the most severe; undefined without any. Malware has the rank 0.
 * Accepted vulnerabilities count, because they are open again when the acceptance expires, which writes no row.
 */
const findSevereRank = (source: RowSource): number | undefined => {
  const { sources = [], counts = noCounts, accepted = [] } = source;
  if (findMalwareIssue({ ...source, sources })) return 0;
  const all = accepted.map((until) => until.counts).reduce(addCounts, counts);
  const rank = severities.findIndex((severity) => all[severity] > 0);
  return rank < 0 ? undefined : rank;
};

/** Returns the rank of a version by its demand, `00` for the highest; undefined if no two batches request it. */
const findWantedRank = ({ batches }: RowSource): string | undefined =>
  batches.length < 2 ? undefined : rankDemand(batches.length);

type RowKey = Pick<ReviewRow, 'v' | 'k'>;

/** Rows that a version must have in the lists of reviews. */
export interface ExpectedRows {
  /** The rows of the lists that the version is in: the lists of pending versions only while it is pending. */
  readonly rows: readonly ReviewRow[];
  /** Keys of the rows in the lists of pending versions and of updates that a decided version must not have. */
  readonly unwanted: readonly RowKey[];
}

/** Returns the keys of the rows that a pending version has besides the one in the list of all pending versions. */
const listRankedKeys = (k: string, source: RowSource): RowKey[] => {
  const [severe, wanted] = [findSevereRank(source), findWantedRank(source)];
  return [
    ...(severe === undefined ? [] : [{ v: severePartition, k: `${severe}${k}` }]),
    ...(wanted === undefined ? [] : [{ v: wantedPartition, k: `${wanted}${k}` }]),
  ];
};

/**
 * Returns the rows that follow from a review state. Lists are in the order of submission, but for those of updates and
 * licenses, which are in the order of packages, and those with ranks.
 */
export const makeReviewRows = (versionKey: string, source: RowSource): ExpectedRows => {
  const { status, submitted_at, submitted_by, submitter, batches, revision, automatic } = source;
  const k = `${submitted_at}#${versionKey}`;
  const ofPackage = `#${versionKey}`;
  const cause = automatic?.cause;
  const common = { status, submitted_by, submitter, ...(cause && { cause }), revision };
  const isPending = status === 'pending';
  const pending = { v: pendingPartition, k };
  const update = { v: updatesPartition, k: ofPackage };
  const signals = isPending ? listTimelessIssues(source.facts ?? null) : [];
  const wanted = [
    ...(isPending ? [{ ...pending, ...(signals.length > 0 && { signals }) }] : []),
    ...(isUpdateRow(common) ? [update] : []),
    ...(isPending ? listRankedKeys(k, source) : []),
    ...batches.map((batch) => ({ v: toBatchPartition(batch), k })),
    ...(submitter === null ? [] : [{ v: toLabelPartition(submitter), k }]),
    ...listStatedLicenses(source).map((key) => ({ v: toLicensePartition(key), k: ofPackage })),
  ];
  const unwanted = [
    ...(isPending ? [] : [pending]),
    ...(cause !== undefined && !isUpdateRow(common) ? [update] : []),
  ];
  return { rows: wanted.map((row) => ({ ...row, ...common })), unwanted };
};

/** Returns the rows that follow from a review state; undefined if it is damaged. */
export const findReviewRows = (versionKey: string, source: RowSource): ExpectedRows | undefined => {
  try {
    return makeReviewRows(versionKey, source);
  } catch {
    return undefined;
  }
};

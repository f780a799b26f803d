import type { PackageId } from '../../domain/packages/package-id.ts';
import { getItem } from '../dynamodb/read.ts';
import { type AttentionItem, attentionTable } from '../reviews/attention.ts';
import { type FactsDue, factsDueTable, toFactsDueKey } from '../reviews/facts-due.ts';
import { makePolicyRow, type PolicyDue, policyDueTable } from '../reviews/policy-due.ts';
import { type FoundFile, findReviewFile } from '../reviews/review-file.ts';
import { countScans } from '../scans/scans.ts';

/** What is kept of a version for reviews, and what says how it must be, besides the version. */
export interface HeadEvidence {
  readonly file: FoundFile;
  /** The number of the latest scan. */
  readonly scans: number;
  readonly attention: AttentionItem | undefined;
  /** The row by which its origin is asked next. */
  readonly asking: FactsDue | undefined;
  /** The row by which the policy looks at it again. */
  readonly judging: PolicyDue | undefined;
}

/** Reads all that a head is held against. */
export const readHeadEvidence = async (id: PackageId): Promise<HeadEvidence> => {
  // In this order: a scan that comes later changes the head that was seen.
  const file = await findReviewFile(id);
  const { attention: key, refresh_at, evaluate_at } = file.head ?? {};
  const judgingRow = makePolicyRow(id, evaluate_at ?? null);
  const [scans, attention, asking, judging] = await Promise.all([
    countScans(id),
    key ? getItem(attentionTable, { v: '#attention', k: key }) : undefined,
    refresh_at ? getItem(factsDueTable, toFactsDueKey(id, refresh_at)) : undefined,
    judgingRow && getItem(policyDueTable, { v: judgingRow.v, k: judgingRow.k }),
  ]);
  return { file, scans, attention, asking, judging };
};

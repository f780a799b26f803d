import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { type AttentionItem, attentionTable } from '../reviews/attention.ts';
import {
  findPackageRefresh,
  isPackageScheduled,
  packageRefreshTable,
  toPackageRefreshKey,
} from '../reviews/package-refresh.ts';
import { makePolicyRow, type PolicyDue, policyDueTable } from '../reviews/policy-due.ts';
import { type FoundFile, findReviewFile } from '../reviews/review-file.ts';
import {
  isRefreshedWithPackage,
  isUnscanned,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
} from '../reviews/review-state.ts';
import { countScans, findScanned } from '../scans/scans.ts';

/** The review state of a version, and the items that it must agree with, besides the version. */
export interface StateEvidence {
  readonly file: FoundFile;
  /** The number of the latest scan. */
  readonly scans: number;
  readonly attention: AttentionItem | undefined;
  /** True if the versions of the package are refreshed together. Only read for an approved version without a refresh of its own. */
  readonly hasPackageRow: boolean;
  /** The row that schedules the next run of the policy. */
  readonly policyRow: PolicyDue | undefined;
}

/** Reads the items that a review state must agree with, besides the version. */
export const readEvidence = async (id: PackageId): Promise<StateEvidence> => {
  // Read the file first: a later scan changes the review state, so a second read differs.
  const file = await findReviewFile(id);
  const { attention: key, next_evaluation } = file.head ?? {};
  const expectedPolicyRow = makePolicyRow(id, next_evaluation ?? null);
  const [scans, attention, packageRow, policyRow] = await Promise.all([
    countScans(id),
    key ? getItem(attentionTable, { v: '#attention', k: key }) : undefined,
    isRefreshedWithPackage(file.head ?? {}) ? findPackageRefresh(id) : undefined,
    expectedPolicyRow &&
      getItem(policyDueTable, { v: expectedPolicyRow.v, k: expectedPolicyRow.k }),
  ]);
  return { file, scans, attention, hasPackageRow: isPackageScheduled(id, packageRow), policyRow };
};

/** The review states of a page of versions, and what reads the rest of their evidence. */
export interface EvidenceReader {
  readonly findState: (version: PackageItem) => ReviewState | undefined;
  readonly readEvidenceOf: (version: PackageItem) => Promise<StateEvidence>;
}

/** Reads the review states of versions. A few batch reads serve all versions without scans. */
export const createEvidenceReader = async (
  versions: readonly PackageItem[],
): Promise<EvidenceReader> => {
  const states = await batchGet(reviewStatesTable, versions.map(toReviewStateKey));
  const stateByKey = new Map(states.map((state) => [{ v: '', ...state }.v, state]));
  const packageRows = await batchGet(
    packageRefreshTable,
    versions
      .filter((version) =>
        isRefreshedWithPackage(stateByKey.get(toReviewStateKey(version).v) ?? {}),
      )
      .map(toPackageRefreshKey),
  );
  const packageRowByKey = new Map(packageRows.map((row) => [row.v, row]));
  const scanned = await findScanned(versions);
  const findState = (version: PackageItem) => stateByKey.get(toReviewStateKey(version).v);
  const readEvidenceOf = async (version: PackageItem): Promise<StateEvidence> => {
    const state = findState(version);
    const hasNothingElse =
      state &&
      isUnscanned(state) &&
      state.attention === null &&
      state.next_evaluation === null &&
      !scanned.has(toVersionKey(version));
    if (!hasNothingElse) return readEvidence(version);
    return {
      file: { head: state, findings: new Map(), acceptances: [] },
      scans: 0,
      attention: undefined,
      policyRow: undefined,
      hasPackageRow: isPackageScheduled(
        version,
        packageRowByKey.get(toPackageRefreshKey(version).v),
      ),
    };
  };
  return { findState, readEvidenceOf };
};

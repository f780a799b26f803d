import { formatPackage } from '../../domain/packages/format-package.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import type { RecallCandidate } from '../../domain/recalls/bound-recalls.ts';
import { removalRecord } from '../../domain/recalls/recall.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { deleteAlone } from '../../storage/dynamodb/write-alone.ts';
import { findNewestApproved } from '../../storage/packages/approved-versions.ts';
import {
  deleteRemoval,
  listRemovals,
  RemovalReplacedError,
  type RemovalRow,
} from '../../storage/recalls/removal-rows.ts';
import { findReviewStates } from '../../storage/reviews/review-state.ts';
import { logEvent } from '../../util/log.ts';
import type { RecallContext } from './recall-version.ts';
import { recallWithinBounds, tryEach } from './recall-within-bounds.ts';
import { releaseVersion } from './release-version.ts';

/** Counts of one run over the reports of removals upstream. */
export interface RemovalReport {
  readonly recalled: number;
  readonly released: number;
  /** Removed versions that people have to look at. */
  readonly held: number;
  /** Reports that the next run handles again. */
  readonly failed: number;
}

/** Most reports of one run. More than the bound of a run for old versions, which count together. */
const mostReports = 500;

/** Why a removal recalls nothing by itself: a mirror can lose versions, and an answer can miss a whole name by mistake. */
type HoldReason = 'removed_from_mirror' | 'name_removed';

const findHoldReason = async (
  row: RemovalRow,
  ecosystems: readonly Ecosystem[],
  now: Date,
): Promise<HoldReason | undefined> => {
  if (!ecosystems.includes(row.ecosystem)) return 'removed_from_mirror';
  if (row.kind === 'back' || row.hasName !== false) return undefined;
  // A name that is gone with several versions is more likely an error of the origin.
  const isOnly = (await findNewestApproved(row, now, 2)).length < 2;
  return isOnly ? undefined : 'name_removed';
};

/** Returns the candidates among removed versions, and the number of held ones. */
const findCandidates = async (
  rows: readonly RemovalRow[],
  { ecosystems, context }: { ecosystems: readonly Ecosystem[]; context: RecallContext },
): Promise<{ readonly candidates: readonly RecallCandidate[]; readonly held: number }> => {
  const states = await findReviewStates(rows);
  const candidates: RecallCandidate[] = [];
  let held = 0;
  for (const row of rows) {
    const { ecosystem, name, version, at } = row;
    const id = { ecosystem, name, version };
    const facts = states.get(toVersionKey(id))?.facts;
    // Upstream may have the version again, or a decision came in between.
    if (row.kind === 'back' || facts?.gone_since === undefined) continue;
    const reason = await findHoldReason(row, ecosystems, context.now);
    if (reason !== undefined) {
      held += 1;
      logEvent('error', 'recall_held', {
        package: formatPackage(id),
        record: removalRecord,
        reason,
      });
      continue;
    }
    candidates.push({
      ...{ id, match: 'exact', recordAddedAt: at },
      // A removed name counts as old, so that the bounds hold for an origin that loses many names.
      published_at: row.hasName === false ? null : facts.published_at,
      record: { id: removalRecord, summary: row.reason, withdrawn: null },
    });
  }
  return { candidates, held };
};

/** Deletes reports that are handled. A later report of the same version stays for the next run. */
const deleteHandled = async (rows: readonly RemovalRow[]): Promise<void> => {
  for (const row of rows) {
    try {
      await deleteAlone(deleteRemoval(row));
    } catch (error) {
      if (!(error instanceof RemovalReplacedError)) throw error;
    }
  }
};

/**
 * Recalls approved versions that their origin removed, within the bounds against false alarms, and releases recalled versions
 * that are back with the files of the approval. A removal in another ecosystem than the given ones is left to people. An interrupted
 * run is repeated, which changes nothing twice.
 */
export const runRemovals = async (
  ecosystems: readonly Ecosystem[],
  context: RecallContext,
): Promise<RemovalReport> => {
  const rows = await listRemovals(mostReports);
  if (rows.length === 0) return { recalled: 0, released: 0, held: 0, failed: 0 };
  let released = 0;
  const { candidates, held } = await findCandidates(rows, { ecosystems, context });
  const outcomes = await recallWithinBounds(candidates, context);
  const unreleased = await tryEach(
    rows.filter(({ kind }) => kind === 'back'),
    { nameOf: () => removalRecord, deadline: context.deadline },
    async (row) => {
      const end = { record: removalRecord, reason: 'Its origin has the version again' };
      if ((await releaseVersion(row, end, context)) === 'released') released += 1;
    },
  );
  const failed = new Set([
    ...outcomes.failed.map(({ id }) => toVersionKey(id)),
    ...unreleased.map(toVersionKey),
  ]);
  await deleteHandled(rows.filter((row) => !failed.has(toVersionKey(row))));
  const report = {
    ...{ recalled: outcomes.recalled, released },
    ...{ held: held + outcomes.held.length, failed: failed.size },
  };
  logEvent(report.failed > 0 ? 'warn' : 'info', 'removals', report);
  return report;
};

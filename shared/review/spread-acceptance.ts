import type { PackageId } from '../domain/package-id.ts';
import type { Acceptance } from '../domain/scans/acceptance.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { type AcceptanceDue, dropDue, keepPlace, putAcceptanceDue } from '../store/reviews/due.ts';
import { transact } from '../store/transact.ts';
import {
  AcceptanceOverError,
  listMarked,
  readAcceptance,
} from '../store/vulnerabilities/acceptances.ts';
import { listAffectedIn } from './list-affected-in.ts';
import { markVersion, unmarkVersion } from './mark-version.ts';
import { hasTime, limitTrial, type WalkContext } from './walk.ts';

const versionsAtATime = 25;
const parallelTransactions = 4;

const tellFailure = (row: AcceptanceDue, id: PackageId, error: unknown): void => {
  const { ecosystem, name, version } = id;
  logEvent('error', 'acceptance_not_followed', {
    kind: row.kind,
    vulnerability: row.id,
    acceptance: row.number,
    ...{ ecosystem, name, version },
    error,
  });
};

/** Brings an acceptance to one version; where that fails, it is left to a row of its own. */
const tryToMark = async (
  row: AcceptanceDue,
  acceptance: Acceptance,
  { id, context }: { readonly id: PackageId; readonly context: WalkContext },
): Promise<void> => {
  try {
    await markVersion(id, [acceptance], limitTrial(context));
  } catch (error) {
    if (error instanceof AcceptanceOverError) throw error;
    tellFailure(row, id, error);
    const { ecosystem, name, version } = id;
    const only = { ecosystem, name, version };
    const due_at = context.now.toISOString();
    const retrial = putAcceptanceDue(acceptance, { kind: 'acceptance', due_at, only });
    await transact([retrial], context.deadline);
  }
};

/** Goes through the versions that it is about until all are done, or time runs out: then the row keeps the place. */
const walkAffected = async (
  row: AcceptanceDue,
  acceptance: Acceptance,
  context: WalkContext,
): Promise<void> => {
  let { after } = row;
  while (hasTime(context)) {
    const page = await listAffectedIn(acceptance, row.id, { after, count: versionsAtATime });
    // One after the other: all of them look at the one acceptance, and would be in each other's way.
    for (const id of page.rows) await tryToMark(row, acceptance, { id, context });
    if (page.isEnd) return dropDue(row);
    after = page.rows.at(-1)?.k ?? '';
    await keepPlace(row, after);
  }
};

/** Brings an acceptance to the versions that it is about, unless it has ended. */
export const spreadAcceptance = async (row: AcceptanceDue, context: WalkContext): Promise<void> => {
  const acceptance = await readAcceptance(row);
  if (!acceptance) return dropDue(row);
  try {
    if (!row.only) return await walkAffected(row, acceptance, context);
    await markVersion(row.only, [acceptance], limitTrial(context));
    await dropDue(row);
  } catch (error) {
    if (!(error instanceof AcceptanceOverError)) throw error;
    await dropDue(row);
  }
};

const tryToUnmark = async (
  row: AcceptanceDue,
  id: PackageId,
  context: WalkContext,
): Promise<boolean> => {
  try {
    await unmarkVersion(id, row, limitTrial(context));
    return true;
  } catch (error) {
    tellFailure(row, id, error);
    return false;
  }
};

/**
 * Takes an acceptance that ended from all versions that have its mark.
 * @throws {Error} after all others are done, where that failed for one: it has its mark still, and is tried again
 */
export const clearAcceptance = async (row: AcceptanceDue, context: WalkContext): Promise<void> => {
  let after: PackageId | undefined;
  let failed = 0;
  while (hasTime(context)) {
    const marked = await listMarked(row, { after, count: versionsAtATime });
    const outcomes = await runInParallel(marked, parallelTransactions, (id) =>
      tryToUnmark(row, id, context),
    );
    failed += outcomes.filter((isDone) => !isDone).length;
    if (marked.length < versionsAtATime) {
      if (failed === 0) return dropDue(row);
      throw new Error(`${failed} versions have the mark of an acceptance that ended`);
    }
    after = marked.at(-1);
  }
};

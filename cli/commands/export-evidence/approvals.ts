import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';

/** The last approval of a version, with the approval that it renewed and its end. */
export interface LastApproval {
  readonly approval: HistoryEntry;
  /** The first of the approvals that followed each other without a gap; equal to `approval` without a renewal. */
  readonly first: HistoryEntry;
  /** The later entry that ended the approval; undefined while it is in force. */
  readonly end: HistoryEntry | undefined;
}

const decided: readonly HistoryEntry['type'][] = [
  'package.approved',
  'package.rejected',
  'package.recalled',
  'package.released',
  'package.expired',
];

/** Returns the entries that changed the status of the version after its submission, newest first. */
export const listDecisions = (history: readonly HistoryEntry[]): HistoryEntry[] =>
  history.filter(({ type }) => decided.includes(type));

/** Returns the first of the approvals that end with the given one, which `rest` continues towards the past. */
const findFirst = (approval: HistoryEntry, rest: readonly HistoryEntry[]): HistoryEntry => {
  let first = approval;
  for (const entry of rest) {
    // An approval of an approved version renews it.
    if (first.from !== 'approved' || entry.type !== 'package.approved') return first;
    first = entry;
  }
  return first;
};

/** Finds the last approval in a history, newest first; undefined if the version was never approved. */
export const findLastApproval = (history: readonly HistoryEntry[]): LastApproval | undefined => {
  const decisions = listDecisions(history);
  const at = decisions.findIndex(({ type }) => type === 'package.approved');
  const approval = decisions[at];
  if (!approval) return undefined;
  const [last] = decisions;
  return {
    approval,
    first: findFirst(approval, decisions.slice(at + 1)),
    // A release brings the approval back.
    end: last === approval || last?.to === 'approved' ? undefined : last,
  };
};

import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';
import { decisionTypes } from '../../../shared/domain/review/record-type.ts';
import type { EvidenceReport } from './report.ts';

/** The last approval of a version, with the approval that it renewed and its end. */
export interface LastApproval {
  readonly approval: HistoryEntry;
  /** The first of the approvals that followed each other without a gap; equal to `approval` without a renewal. */
  readonly first: HistoryEntry;
  /** The later entry that ended the approval; undefined without one. */
  readonly end: HistoryEntry | undefined;
}

/** Returns the entries that changed the status of the version after its submission, newest first. */
export const listDecisions = (history: readonly HistoryEntry[]): HistoryEntry[] =>
  history.filter(({ type }) => decisionTypes.some((one) => one === type));

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

/** How an approval ended: by a later entry, at its expiry date, or by a change of the status that the history lacks. */
export type ApprovalEnd =
  | { readonly kind: 'entry'; readonly entry: HistoryEntry }
  | { readonly kind: 'expiry'; readonly at: string }
  | { readonly kind: 'status'; readonly status: string };

/** Returns how an approval ended; undefined if it was in force when the report was exported. */
export const findApprovalEnd = (
  { evidence, exported_at }: Pick<EvidenceReport, 'evidence' | 'exported_at'>,
  { approval: { expires_at }, end }: LastApproval,
): ApprovalEnd | undefined => {
  if (end) return { kind: 'entry', entry: end };
  // The entry of an expiry follows the expiry date with a delay.
  if (expires_at !== null && Date.parse(expires_at) <= Date.parse(exported_at)) {
    return { kind: 'expiry', at: expires_at };
  }
  const { status } = evidence.package;
  return status === 'approved' ? undefined : { kind: 'status', status };
};

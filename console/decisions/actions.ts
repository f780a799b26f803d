import type { Decision, Status } from '../../shared/domain/review/status.ts';

/** A decision on a version. `renew` and `keep` approve an approved version again. */
export type Action = 'approve' | 'reject' | 'renew' | 'keep';

/** The words for an action on the screen. */
export interface ActionTexts {
  /** The label of buttons. */
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  /** The status of the version after the action. */
  readonly status: Decision;
}

export const actions: Readonly<Record<Action, ActionTexts>> = {
  approve: { verb: 'Approve', doing: 'approving', done: 'approved', status: 'approved' },
  reject: { verb: 'Reject', doing: 'rejecting', done: 'rejected', status: 'rejected' },
  renew: { verb: 'Renew', doing: 'renewing', done: 'renewed', status: 'approved' },
  keep: { verb: 'Keep', doing: 'keeping', done: 'kept', status: 'approved' },
};

const offeredActions: Readonly<Record<Status, readonly Action[]>> = {
  pending: ['approve', 'reject'],
  approved: ['renew', 'keep', 'reject'],
  rejected: ['approve'],
};

/** Returns the actions for a version. A recalled version can be rejected, which makes the recall permanent. */
export const listActions = (status: Status, isRecalled: boolean): readonly Action[] =>
  status === 'rejected' && isRecalled ? ['approve', 'reject'] : offeredActions[status];

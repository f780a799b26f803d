import type { Decision, Status } from '../../shared/domain/review/status.ts';

/** What a reviewer does with a version. Renewing and keeping are approvals of a version that is approved. */
export type Action = 'approve' | 'reject' | 'renew' | 'keep';

export interface ActionTexts {
  /** On buttons. */
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  /** The status of the version after it. */
  readonly status: Decision;
}

export const actions: Readonly<Record<Action, ActionTexts>> = {
  approve: { verb: 'Approve', doing: 'approving', done: 'approved', status: 'approved' },
  reject: { verb: 'Reject', doing: 'rejecting', done: 'rejected', status: 'rejected' },
  renew: { verb: 'Renew', doing: 'renewing', done: 'renewed', status: 'approved' },
  keep: { verb: 'Keep', doing: 'keeping', done: 'kept', status: 'approved' },
};

/** The actions that a version offers, by its status. */
export const offeredActions: Readonly<Record<Status, readonly Action[]>> = {
  pending: ['approve', 'reject'],
  approved: ['renew', 'keep', 'reject'],
  rejected: ['approve'],
};

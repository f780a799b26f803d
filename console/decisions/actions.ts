import type { Decision } from '../../shared/domain/status.ts';

/** What a reviewer does with a version. */
export type Action = 'approve' | 'reject';

export interface ActionWords {
  /** On buttons. */
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  /** The status of the version after it. */
  readonly status: Decision;
}

export const actions: Readonly<Record<Action, ActionWords>> = {
  approve: { verb: 'Approve', doing: 'approving', done: 'approved', status: 'approved' },
  reject: { verb: 'Reject', doing: 'rejecting', done: 'rejected', status: 'rejected' },
};

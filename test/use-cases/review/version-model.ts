import type { Status } from '../../../shared/domain/review/status.ts';

/** A version as the documentation has it, written down a second time. Names of who decided stand for the decisions. */
export interface Version {
  readonly status: Status;
  readonly revision: number;
  readonly expires_at: string | null;
  readonly by: string | null;
  readonly previous: { readonly status: string; readonly by: string | null } | null;
}

/** What there is of a version: null before it was submitted. */
export type State = Version | null;

/** A decision, at a moment of the clock of whoever makes it. */
export interface Decision {
  readonly to: 'approved' | 'rejected';
  readonly by: string;
  readonly reason: string | null;
  readonly expires_at: string | null;
  readonly expectedStatus: Status | null;
  readonly now: Date;
}

export const newVersion: Version = {
  status: 'pending',
  revision: 0,
  expires_at: null,
  by: null,
  previous: null,
};

const isDue = ({ status, expires_at }: Version, now: Date): boolean =>
  status === 'approved' && expires_at !== null && new Date(expires_at) <= now;

const remember = ({ status, by, previous }: Version): Version['previous'] =>
  status === 'pending' ? previous : { status, by };

/** What running out makes of a version; undefined where nothing runs out. */
export const expireVersion = (state: State, now: Date): State | undefined =>
  state && isDue(state, now)
    ? { ...newVersion, revision: state.revision + 1, previous: remember(state) }
    : undefined;

/** What a decision makes of a version, or the code of its refusal; undefined where it has to run out first. */
export const decideVersion = (
  state: State,
  { to, by, reason, expires_at, expectedStatus, now }: Decision,
): Version | string | undefined => {
  if (state === null) return 'package_not_found';
  if (isDue(state, now)) return undefined;
  if (expectedStatus !== null && state.status !== expectedStatus) return 'decision_conflict';
  const renews = to === 'approved' && expires_at !== null;
  if (state.status === to && !renews) return 'decision_in_force';
  if (state.status !== 'pending' && state.status !== to && reason === null)
    return 'reason_required';
  return {
    status: to,
    revision: state.revision + 1,
    expires_at: to === 'approved' ? expires_at : null,
    by,
    previous: remember(state),
  };
};

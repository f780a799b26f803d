import type { Status } from './status.ts';

/** The decision that another one, or its running out, replaced. */
export interface EarlierDecision {
  readonly status: 'approved' | 'rejected';
  readonly by: string | null;
  readonly token_label: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string | null;
}

/** An approval, and until when it holds: for ever where `expires_at` is null, else ISO 8601 in UTC. */
interface Expiring {
  readonly status: Status;
  readonly expires_at: string | null;
}

/** Where a version stands, with what is said of the decision in force. */
interface Decided extends Expiring {
  readonly approved_by: string | null;
  readonly approved_token_label: string | null;
  readonly approved_at: string | null;
  readonly rejected_by: string | null;
  readonly rejected_token_label: string | null;
  readonly rejected_at: string | null;
  readonly reason: string | null;
  readonly previous: EarlierDecision | null;
}

/** Whether an approval has run out, though that may not be written yet. */
export const hasExpired = ({ status, expires_at }: Expiring, now: Date): boolean =>
  status === 'approved' && expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Where a version stands at a moment. What is stored follows within minutes. */
export const statusAt = (version: Expiring, now: Date): Status =>
  hasExpired(version, now) ? 'pending' : version.status;

/** The decision that the next one replaces: the one in force or, where none is, the one before. */
export const findEarlierDecision = (version: Decided): EarlierDecision | null => {
  const { status, reason } = version;
  const [by, token_label, at] =
    status === 'approved'
      ? [version.approved_by, version.approved_token_label, version.approved_at]
      : [version.rejected_by, version.rejected_token_label, version.rejected_at];
  if (status === 'pending' || at === null) return version.previous;
  return { status, by, token_label, at, reason };
};

/** A version whose approval has run out: pending again, and its approval remembered. */
export const expire = <T extends Decided>(version: T): T => ({
  ...version,
  status: 'pending',
  approved_by: null,
  approved_token_label: null,
  approved_at: null,
  reason: null,
  expires_at: null,
  previous: findEarlierDecision(version),
});

/** A version as it stands at a moment. */
export const showAt = <T extends Decided>(version: T, now: Date): T =>
  hasExpired(version, now) ? expire(version) : version;

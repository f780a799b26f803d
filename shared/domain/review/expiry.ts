import type { Status } from './status.ts';

/** Decision that a later decision or its expiry replaced. */
export interface EarlierDecision {
  readonly status: 'approved' | 'rejected';
  readonly by: string | null;
  readonly token_label: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string | null;
}

/** Status and expiry date of a version, ISO 8601 in UTC; null for no expiry. */
interface Expiring {
  readonly status: Status;
  readonly expires_at: string | null;
}

/** Status of a version with the details of the decision in force. */
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

/** True if an approval has expired, even if the stored status is not updated yet. */
export const hasExpired = ({ status, expires_at }: Expiring, now: Date): boolean =>
  status === 'approved' && expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Returns the status of a version at a moment. The stored status follows within minutes. */
export const statusAt = (version: Expiring, now: Date): Status =>
  hasExpired(version, now) ? 'pending' : version.status;

/** Returns the decision that the next one replaces: the one in force, or else the one before. */
export const findEarlierDecision = (version: Decided): EarlierDecision | null => {
  const { status, reason } = version;
  const [by, token_label, at] =
    status === 'approved'
      ? [version.approved_by, version.approved_token_label, version.approved_at]
      : [version.rejected_by, version.rejected_token_label, version.rejected_at];
  if (status === 'pending' || at === null) return version.previous;
  return { status, by, token_label, at, reason };
};

/** Returns a version with its approval expired: pending, with the approval as its previous decision. */
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

/** Returns a version as of a moment, with an expired approval applied. */
export const showAt = <T extends Decided>(version: T, now: Date): T =>
  hasExpired(version, now) ? expire(version) : version;

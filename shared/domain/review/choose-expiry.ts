import { dayMs } from '../../util/duration.ts';
import { refuseInvalid } from '../errors.ts';

/** Maximum duration of an approval in days: five years. */
export const maxApprovalDays = 1825;

/** Requested expiry of an approval, if any. */
export interface ExpiryRequest {
  /** ISO 8601 in UTC. */
  readonly expires_at?: string | null | undefined;
  readonly expires_in_days?: number | null | undefined;
}

/** True if a request sets the expiry of an approval. */
export const asksForExpiry = ({ expires_at, expires_in_days }: ExpiryRequest): boolean =>
  Boolean(expires_at || expires_in_days);

/**
 * Returns the expiry date of an approval: the requested one, or else the organisation's default. Null means no expiry.
 * @throws {RegistryError} `validation_failed` if it is in the past or more than `maxApprovalDays` away
 */
export const chooseExpiry = (
  { expires_at, expires_in_days }: ExpiryRequest,
  { now, approvalDays = 0 }: { readonly now: Date; readonly approvalDays?: number },
): string | null => {
  const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs);
  if (expires_at) {
    const at = new Date(expires_at);
    if (at <= now) throw refuseInvalid('expires_at', 'must be in the future');
    if (at > inDays(maxApprovalDays)) {
      throw refuseInvalid('expires_at', `must be within ${maxApprovalDays} days`);
    }
    return at.toISOString();
  }
  const days = expires_in_days ?? approvalDays;
  return days > 0 ? inDays(days).toISOString() : null;
};

import { refuseInvalid } from '../errors.ts';

/** The longest that an approval may be given for: five years. */
export const maxApprovalDays = 1825;

const dayMs = 24 * 60 * 60_000;

/** Until when an approval is asked to hold, if anything is said of it. */
export interface ExpiryRequest {
  /** ISO 8601 in UTC. */
  readonly expires_at?: string | null | undefined;
  readonly expires_in_days?: number | null | undefined;
}

/** Whether an approval says until when it holds. */
export const asksForExpiry = ({ expires_at, expires_in_days }: ExpiryRequest): boolean =>
  Boolean(expires_at || expires_in_days);

/**
 * Until when an approval holds: as it says, else for as many days as the organisation wants; for ever (null) where that is 0.
 * @throws {RegistryError} `validation_failed` where it would hold for no time, or for longer than five years
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

import type { FactsSummary } from '../facts/summary.ts';
import type { Status } from './status.ts';

/**
 * Returns the digest of the upstream metadata whose files an approval pins. It is the current metadata, if upstream has
 * the version. A new expiry date for an approval pins the same files as before, since these were reviewed. Returns null
 * if there is nothing to pin yet.
 */
export const choosePinned = (
  { status, pinned }: { readonly status: Status; readonly pinned?: string | null | undefined },
  facts: FactsSummary | null,
): string | null => {
  if (status === 'approved' && pinned) return pinned;
  return facts?.found === 'yes' ? facts.digest : null;
};

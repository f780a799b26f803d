import type { FactsSummary } from '../facts/summary.ts';
import type { Status } from './status.ts';

/**
 * Returns the digest of the upstream metadata whose files an approval pins: what is known now, if upstream has the version.
 * A new expiry date for an approval that holds pins nothing else, since nobody looked at the files again. Null where nothing
 * can be pinned yet.
 */
export const choosePinned = (
  { status, pinned }: { readonly status: Status; readonly pinned?: string | null | undefined },
  facts: FactsSummary | null,
): string | null => {
  if (status === 'approved' && pinned) return pinned;
  return facts?.found === 'yes' ? facts.digest : null;
};

import { transact } from '../../storage/dynamodb/transact.ts';
import { putTrustedRoot } from '../../storage/reviews/trusted-root.ts';
import type { Deadline } from '../../util/deadline.ts';
import { digest } from '../../util/digest.ts';

/**
 * Fetches the trusted root of Sigstore and stores it. Returns its digest. A failure leaves the stored root as it is.
 * @throws {Error} if the root cannot be fetched, verified or stored
 */
export const refreshTrustedRoot = async (
  fetchRoot: () => Promise<unknown>,
  { now, deadline }: { readonly now: Date; readonly deadline: Deadline },
): Promise<{ readonly root: string }> => {
  const root = await fetchRoot();
  await transact([putTrustedRoot({ root, refreshed_at: now.toISOString() })], deadline);
  return { root: digest(root) };
};

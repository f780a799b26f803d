import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../api/use-query.ts';
import { useOutcomes } from '../decisions/outcomes.ts';
import { useSession } from '../session/session.ts';
import { useListRefreshes } from '../state/list-refresh.ts';
import { setPendingTotal } from '../state/pending-total.ts';
import type { CountedQueue } from '../views/views.ts';

/** The number of versions in each queue, as text; empty while it is unknown. */
export type QueueCounts = Readonly<Record<CountedQueue, string>>;

/** The delay before a new count, because changes come in bursts. */
const afterMs = 500;

/**
 * Returns the number of pending versions and of versions that need attention. Updates of which a newer one is pending do not
 * count. A count stays while it is read again.
 */
export const useQueueCounts = (): QueueCounts => {
  const { api } = useSession();
  const refreshes = useListRefreshes();
  const decided = [...useOutcomes().values()].reduce((sum, { news }) => sum + news, 0);
  const [shown, setShown] = useState<QueueCounts>({ pending: '', attention: '' });
  const { value } = useQuery(
    `${refreshes} ${decided}`,
    async (signal) => {
      const [pending, attention] = await Promise.all([
        api.listPackages({ query: { status: 'pending', view: 'full', limit: 1 } }, { signal }),
        api.listAttention({ query: { limit: 100 } }, { signal }),
      ]);
      setPendingTotal(pending.total);
      const { length } = attention.attention;
      return {
        pending: (pending.total - (pending.older_updates ?? 0)).toLocaleString('en'),
        attention: attention.next === null ? String(length) : `${length}+`,
      };
    },
    { afterMs },
  );
  useEffect(() => {
    if (value) setShown(value);
  }, [value]);
  return shown;
};

import { formatAddress } from '../../address/address.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { summarizeCounts } from '../../parts/review-summary.ts';
import { useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';

/** The delay before a new summary, because changes come in bursts. */
const afterMs = 500;

const statuses = ['pending', 'approved', 'rejected'] as const;

/** The head of a batch: how many versions have each status, and what the pending ones wait for. */
export const BatchSummary = ({ batch }: { readonly batch: string }) => {
  const { api } = useSession();
  const refreshes = useListRefreshes();
  const { value, error, reload } = useQuery(
    `${batch} ${refreshes}`,
    (signal) => api.summarizeReviews({ query: { batch } }, { signal }),
    { afterMs: refreshes === 0 ? 0 : afterMs },
  );
  if (error) return <ErrorMessage error={error} retry={reload} />;
  const waits = value ? summarizeCounts(value) : '';
  return (
    <p class="batch-summary" aria-busy={value === undefined}>
      {statuses.map((status) => (
        <a key={status} href={formatAddress({ view: 'packages', query: { batch, status } })}>
          {value ? value[status].toLocaleString('en') : '…'} {status}
        </a>
      ))}{' '}
      <span class="muted">{waits}</span>
    </p>
  );
};

import { useQuery } from '../api/use-query.ts';
import { useStale } from '../parts/use-stale.ts';
import { useSession } from '../session/session.ts';
import { useListRefreshes } from '../state/list-refresh.ts';

/** The most records that the notice counts. */
const maxRecords = 100;

/** Says how many records of malware wait for a decision. Events refresh it, as they refresh lists. */
export const HeldRecordsNotice = () => {
  const { api } = useSession();
  const refreshes = useListRefreshes();
  const { value } = useQuery(String(refreshes), (signal) =>
    api.listHeldRecalls({ query: { limit: maxRecords } }, { signal }),
  );
  const page = useStale(value);
  const count = page?.held_recalls.filter(({ confirmed }) => confirmed === null).length ?? 0;
  if (count === 0) return null;
  return (
    <p class="freeze-notice" role="status">
      <span>
        {count}
        {page?.next && '+'} {count === 1 ? 'record of malware waits' : 'records of malware wait'}{' '}
        for a decision. <a href="#/incidents">Decide</a>
      </span>
    </p>
  );
};

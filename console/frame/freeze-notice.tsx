import { useEffect, useState } from 'preact/hooks';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { useQuery } from '../api/use-query.ts';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session/session.ts';
import { useListRefreshes } from '../state/list-refresh.ts';

/** Says that the registry is frozen, since when and why. Events refresh it, as they refresh lists. */
export const FreezeNotice = () => {
  const { api } = useSession();
  const refreshes = useListRefreshes();
  const { value } = useQuery(String(refreshes), (signal) => api.showFreeze({}, { signal }));
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (value) setShown(value);
  }, [value]);
  if (!shown?.freeze) return null;
  const { before, reason, since } = shown.freeze;
  return (
    <p class="freeze-notice" role="status">
      <span>
        The registry was frozen <Time at={since} />: rules approve nothing, and versions published
        after <Line text={dropMilliseconds(before)} /> are refused. Reason: <Line text={reason} />{' '}
        <a href="#/incidents">Incidents</a>
      </span>
    </p>
  );
};

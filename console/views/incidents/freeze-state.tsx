import { useState } from 'preact/hooks';
import type { FreezeStatus } from '../../../shared/api/schemas/freeze.ts';
import { dropMilliseconds } from '../../../shared/util/drop-milliseconds.ts';
import { useQuery } from '../../api/use-query.ts';
import { PermissionNotice } from '../../decisions/permission.tsx';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { StatusIcon } from '../../parts/status-marks.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { TimeAndActor } from '../../parts/time-and-actor.tsx';
import { useStale } from '../../parts/use-stale.ts';
import { hasScope, useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import { FreezeForm } from './freeze-form.tsx';
import { LiftForm } from './lift-form.tsx';

type Freeze = NonNullable<FreezeStatus['freeze']>;

/** The freeze in force: since when, by whom, and what it refuses. */
const FreezeInForce = ({ before, reason, since, by, token_label }: Freeze) => (
  <>
    <p class="status-label bad">
      <StatusIcon tone="bad" />
      Frozen <TimeAndActor at={since} by={by} label={token_label} />
    </p>
    <p>
      Rules approve nothing. The registry refuses versions published after{' '}
      <Line class="version" text={dropMilliseconds(before)} />, and versions without a known time.
    </p>
    <p>
      Reason: <Text text={reason} />
    </p>
  </>
);

/** Whether the registry is frozen. Reviewers freeze it here, and lift the freeze. */
export const FreezeState = () => {
  const session = useSession();
  const refreshes = useListRefreshes();
  const { value, error, reload } = useQuery(String(refreshes), (signal) =>
    session.api.showFreeze({}, { signal }),
  );
  const status = useStale(value);
  const [opened, setOpened] = useState<'freeze' | 'lift' | null>(null);
  const close = (): void => setOpened(null);
  const freeze = status?.freeze ?? null;
  return (
    <section class="page-part" aria-labelledby="freeze">
      <h2 id="freeze">Freeze</h2>
      {error && <ErrorMessage error={error} retry={reload} />}
      {!status && !error && <Skeleton lines={3} label="Loading the freeze" />}
      {freeze && <FreezeInForce {...freeze} />}
      {status && !freeze && (
        <p class="muted">
          The registry is not frozen. A freeze refuses versions that were published after a time,
          until somebody lifts it.
        </p>
      )}
      {status && !hasScope(session, 'review') && <PermissionNotice session={session} />}
      {status && opened === null && hasScope(session, 'review') && (
        <p class="actions">
          <button type="button" onClick={() => setOpened('freeze')}>
            {freeze ? 'Change the freeze' : 'Freeze the registry'}
          </button>
          {freeze && (
            <button type="button" onClick={() => setOpened('lift')}>
              Lift the freeze
            </button>
          )}
        </p>
      )}
      {opened === 'freeze' && <FreezeForm freeze={freeze} close={close} />}
      {opened === 'lift' && freeze && <LiftForm close={close} />}
    </section>
  );
};

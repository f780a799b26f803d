import { useState } from 'preact/hooks';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { describeEventActor } from '../../../shared/domain/tokens/describe-actor.ts';
import { formatAddress } from '../../address/address.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.ts';
import type { ViewProps } from '../view-props.ts';
import {
  type ActivityPage,
  activityLists,
  type EventFilter,
  readActivity,
} from './read-activity.ts';

const firstDay = '1970-01-01';
const lastDay = '9999-12-31';

const ActivityRow = ({ event }: { readonly event: RegistryEvent }) => {
  const { ecosystem, name, version, at, reason } = event;
  const by = describeEventActor(event);
  return (
    <li>
      {ecosystem && name && version && (
        <a href={formatAddress({ view: 'packages', id: { ecosystem, name, version } })}>
          <Line text={name} /> <Line class="version" text={version} />
        </a>
      )}{' '}
      <span class="muted">
        {ecosystem} <Time at={at} />
        {by && (
          <>
            {' by '}
            <Line text={by} />
          </>
        )}
        {reason && (
          <>
            {': '}
            <Line text={reason} />
          </>
        )}
      </span>
    </li>
  );
};

/** The events behind a number of the overview, the newest first. */
const ActivityList = ({ filter }: { readonly filter: EventFilter }) => {
  const { api } = useSession();
  const [earlier, setEarlier] = useState<readonly ActivityPage[]>([]);
  const before = earlier.at(-1)?.before ?? undefined;
  const { value, error, reload } = useQuery(String(before), (signal) =>
    readActivity(api, filter, { before, signal }),
  );
  const pages = value ? [...earlier, value] : earlier;
  const events = pages.flatMap((page) => page.events);
  const isComplete = value?.before === null;
  return (
    <>
      {isComplete && events.length === 0 && <p class="muted">No events in these days.</p>}
      <ul class="rows">
        {events.map((event) => (
          <ActivityRow key={event.sequence} event={event} />
        ))}
      </ul>
      {error && <ErrorMessage error={error} retry={reload} />}
      {!value && !error && <Skeleton lines={5} label="Loading the activity" />}
      {value && !isComplete && (
        <p>
          <button type="button" onClick={() => setEarlier(pages)}>
            Show more
          </button>
        </p>
      )}
      {isComplete && events.length > 0 && (
        <p class="muted">{events.length.toLocaleString('en')} in total</p>
      )}
    </>
  );
};

/** The view that lists the events behind a number of the overview. */
export const Activity = ({ address: { query } }: ViewProps) => {
  const { type = '', from = firstDay, to = lastDay } = query;
  const list = activityLists.get(type);
  if (!list) {
    return (
      <div class="activity">
        <p class="muted">
          This activity does not exist. <a href="#/overview">Go to the overview</a>
        </p>
      </div>
    );
  }
  return (
    <section class="activity" aria-labelledby="activity-title">
      <h2 id="activity-title">{list.title}</h2>
      <p class="muted">
        {from === to ? from : `${from} to ${to}`} (UTC). <a href="#/overview">Overview</a>
      </p>
      <ActivityList key={`${type} ${from} ${to}`} filter={{ list, from, to }} />
    </section>
  );
};

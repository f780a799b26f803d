import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { nameRecallRecord } from '../../../shared/domain/recalls/recall.ts';
import { goTo } from '../../address/address.ts';
import { toKey } from '../../address/version-id.ts';
import { type QueryState, useQuery } from '../../api/use-query.ts';
import { UsedByLabel, useVersionUses } from '../../decisions/version-uses.tsx';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { attentionLabels } from '../../parts/status-marks.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useStale } from '../../parts/use-stale.ts';
import { VersionsList } from '../../parts/versions-list.tsx';
import { useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import type { ViewProps } from '../view-props.ts';
import { Pending } from './pending.tsx';
import { StatisticsCharts } from './statistics-charts.tsx';
import { Vulnerabilities } from './vulnerabilities.tsx';

const periods = [30, 90, 365];
const defaultPeriod = 90;
/** The most entries of each list. */
const maxEntries = 5;

const readDays = (text: string | undefined): number =>
  periods.find((days) => String(days) === text) ?? defaultPeriod;

interface CardProps<T> {
  readonly title: string;
  readonly id: string;
  readonly answered: Pick<QueryState<T>, 'value' | 'error' | 'reload'>;
  /** The number of lines while it loads. */
  readonly lines: number;
  readonly aside?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the overview with its own query: a failure leaves the other parts working. */
const Card = <T,>({ title, id, answered, lines, aside, children }: CardProps<T>) => {
  const { error, reload } = answered;
  const value = useStale(answered.value);
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {error && <ErrorMessage error={error} retry={reload} />}
      {value !== undefined && children(value)}
      {value === undefined && !error && <Skeleton lines={lines} label={`Loading: ${title}`} />}
    </section>
  );
};

/** Returns a list that is not empty; undefined for an empty one. */
const toFilled = <T,>([first, ...others]: readonly T[]): readonly [T, ...T[]] | undefined =>
  first === undefined ? undefined : [first, ...others];

type Answered = Pick<QueryState<unknown>, 'value' | 'error'>;

/**
 * Returns the number of parts to show: up to the first one that has never loaded. So no part moves when another one above it
 * arrives.
 */
const useShownCount = (parts: readonly Answered[]): number => {
  const most = useRef(0);
  const loading = parts.findIndex(({ value, error }) => value === undefined && !error);
  most.current = Math.max(most.current, loading < 0 ? parts.length : loading + 1);
  return most.current;
};

/** The delay before a new query, because changes come in bursts. */
const afterMs = 300;

/** The view with charts and lists of the whole registry. */
export const Overview = ({ address: { query } }: ViewProps) => {
  const { api } = useSession();
  const days = readDays(query['days']);
  const round = String(useListRefreshes());
  const statistics = useQuery(
    `${days} ${round}`,
    (signal) => api.showStatistics({ query: { days } }, { signal }),
    { afterMs },
  );
  const vulnerabilities = useQuery(
    round,
    (signal) =>
      api.listVulnerabilities({ query: { status: 'approved', limit: maxEntries } }, { signal }),
    { afterMs },
  );
  const attention = useQuery(
    round,
    (signal) => api.listAttention({ query: { limit: maxEntries } }, { signal }),
    { afterMs },
  );
  const expirations = useQuery(
    round,
    (signal) => api.listExpirations({ query: { limit: maxEntries } }, { signal }),
    { afterMs },
  );
  const isLoading = attention.isLoading || expirations.isLoading;
  const listed = [...(attention.value?.attention ?? []), ...(expirations.value?.expirations ?? [])];
  const uses = useVersionUses(isLoading ? undefined : listed);
  const recalls = useQuery(
    round,
    (signal) => api.listRecalls({ query: { limit: maxEntries } }, { signal }),
    { afterMs },
  );
  // Counted once, because it costs more than the other parts: each event would count again.
  const summary = usePages('pending', (after, signal) =>
    api.summarizeReviews({ query: after === undefined ? {} : { after } }, { signal }),
  );
  const pending = { ...summary, value: toFilled(summary.pages) };
  const parts = [statistics, pending, vulnerabilities, attention, recalls, expirations];
  const shown = useShownCount(parts);
  return (
    <div class="overview">
      <Card
        title="Activity"
        id="activity"
        answered={statistics}
        lines={9}
        aside={
          <label class="period">
            <span class="visually-hidden">Number of days</span>
            <select
              value={String(days)}
              onChange={({ currentTarget: { value } }) =>
                goTo({ view: 'overview', query: { days: value } }, { replace: true })
              }
            >
              {periods.map((period) => (
                <option key={period} value={String(period)}>
                  {period} days
                </option>
              ))}
            </select>
          </label>
        }
      >
        {({ days: counted }) => <StatisticsCharts days={counted} />}
      </Card>
      <div class="overview-lists">
        {shown > 1 && (
          <Card title="Pending" id="pending" answered={pending} lines={maxEntries}>
            {(pages) => <Pending pages={pages} showMore={summary.showMore} />}
          </Card>
        )}
        {shown > 2 && (
          <Card
            title="Top vulnerabilities in approved packages"
            id="worst"
            answered={vulnerabilities}
            lines={maxEntries}
          >
            {({ vulnerabilities: worst }) => <Vulnerabilities worst={worst} />}
          </Card>
        )}
        {shown > 3 && (
          <Card
            title="Needs attention"
            id="needs-attention"
            answered={attention}
            lines={maxEntries}
          >
            {({ attention: versions, next }) => (
              <VersionsList
                versions={versions}
                describe={({ reasons, recall, since, ...id }) => (
                  <>
                    {reasons.map((reason) => attentionLabels[reason]).join(', ')}{' '}
                    {recall && nameRecallRecord(recall)} · <Time at={since} />{' '}
                    <UsedByLabel uses={uses?.get(toKey(id))} />
                  </>
                )}
                empty="No version needs attention."
                more={next !== null && <a href="#/attention">Show all</a>}
              />
            )}
          </Card>
        )}
        {shown > 4 && (
          <Card title="Recalls" id="recalls" answered={recalls} lines={maxEntries}>
            {({ recalls: versions, next }) => (
              <VersionsList
                versions={versions}
                describe={({ record, recalled_at, ended_at }) => (
                  <>
                    {nameRecallRecord(record)} · <Time at={recalled_at} />
                    {ended_at !== null && ', ended'}
                  </>
                )}
                empty="No version was recalled."
                more={next !== null && <a href="#/incidents">Show all</a>}
              />
            )}
          </Card>
        )}
        {shown > 5 && (
          <Card title="Expiring soon" id="expiring" answered={expirations} lines={maxEntries}>
            {({ expirations: versions, next }) => (
              <VersionsList
                versions={versions}
                describe={({ expires_at, ...id }) => (
                  <>
                    expires <Time at={expires_at} /> <UsedByLabel uses={uses?.get(toKey(id))} />
                  </>
                )}
                empty="No approval has an expiry date."
                more={next !== null && <a href="#/expirations">Show all</a>}
              />
            )}
          </Card>
        )}
      </div>
    </div>
  );
};

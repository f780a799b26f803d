import type { ComponentChildren } from 'preact';
import { goTo } from '../../address/address.ts';
import { type QueryState, useQuery } from '../../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { attentionLabels } from '../../parts/status-marks.tsx';
import { Time } from '../../parts/time.tsx';
import { useStale } from '../../parts/use-stale.ts';
import { useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import type { ViewProps } from '../view-props.ts';
import { StatisticsCharts } from './statistics-charts.tsx';
import { VersionsList } from './versions-list.tsx';
import { Vulnerabilities } from './vulnerabilities.tsx';

const periods = [30, 90, 365];
const usual = 90;
/** Of each list so many: what is further down can wait, and all of it has a place of its own. */
const most = 5;

const readDays = (text: string | undefined): number =>
  periods.find((days) => String(days) === text) ?? usual;

interface CardProps<T> {
  readonly title: string;
  readonly id: string;
  readonly answered: QueryState<T>;
  /** As many lines as are to be expected. */
  readonly lines: number;
  readonly aside?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the overview with an answer of its own: one that fails takes none of the others with it. */
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

/** Changes come in bursts. */
const afterMs = 300;

/** What happens in the registry, as pictures. */
const Overview = ({ address: { query } }: ViewProps) => {
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
    (signal) => api.listVulnerabilities({ query: { status: 'approved', limit: most } }, { signal }),
    { afterMs },
  );
  const attention = useQuery(
    round,
    (signal) => api.listAttention({ query: { limit: most } }, { signal }),
    { afterMs },
  );
  const expirations = useQuery(
    round,
    (signal) => api.listExpirations({ query: { limit: most } }, { signal }),
    { afterMs },
  );
  return (
    <div class="overview">
      <Card
        title="What happened"
        id="happened"
        answered={statistics}
        lines={9}
        aside={
          <label class="period">
            <span class="visually-hidden">How many days</span>
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
        {({ days: told }) => <StatisticsCharts days={told} />}
      </Card>
      <div class="overview-lists">
        <Card title="Worst in what is approved" id="worst" answered={vulnerabilities} lines={most}>
          {({ vulnerabilities: worst }) => <Vulnerabilities worst={worst} />}
        </Card>
        <Card title="Needs attention" id="needs-attention" answered={attention} lines={most}>
          {({ attention: versions, next }) => (
            <VersionsList
              versions={versions}
              tell={({ reasons, since }) => (
                <span class="muted">
                  {reasons.map((reason) => attentionLabels[reason]).join(', ')}, <Time at={since} />
                </span>
              )}
              nothing="Nothing that is approved has turned out to be doubtful."
              more={next !== null && <a href="#/attention">Show all</a>}
            />
          )}
        </Card>
        <Card title="Runs out next" id="runs-out" answered={expirations} lines={most}>
          {({ expirations: versions, next }) => (
            <VersionsList
              versions={versions}
              tell={({ expires_at }) => (
                <span class="muted">
                  <Time at={expires_at} />
                </span>
              )}
              nothing="No approval has an end."
              more={next !== null && <span class="muted">and others later</span>}
            />
          )}
        </Card>
      </div>
    </div>
  );
};

export default Overview;

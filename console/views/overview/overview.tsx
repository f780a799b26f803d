import type { ComponentChildren } from 'preact';
import { goTo } from '../../address/address.ts';
import { type Answered, useAnswer } from '../../api/use-answer.ts';
import { useHappened } from '../../frame/happenings.ts';
import { attentionWords } from '../../parts/marks.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { useSession } from '../../session/session.ts';
import type { ViewProps } from '../view-props.ts';
import { Happenings } from './happened.tsx';
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
  readonly answered: Answered<T>;
  /** As many lines as are to be expected. */
  readonly lines: number;
  readonly aside?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the overview with an answer of its own: one that fails takes none of the others with it. */
const Card = <T,>({ title, id, answered, lines, aside, children }: CardProps<T>) => {
  const { error, reload } = answered;
  const value = useKept(answered.value);
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {error && <Failure error={error} retry={reload} />}
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
  const round = String(useHappened());
  const statistics = useAnswer(
    `${days} ${round}`,
    (signal) => api.showStatistics({ query: { days } }, { signal }),
    { afterMs },
  );
  const vulnerabilities = useAnswer(
    round,
    (signal) => api.listVulnerabilities({ query: { status: 'approved', limit: most } }, { signal }),
    { afterMs },
  );
  const attention = useAnswer(
    round,
    (signal) => api.listAttention({ query: { limit: most } }, { signal }),
    { afterMs },
  );
  const expirations = useAnswer(
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
            <span class="heard">How many days</span>
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
        {({ days: told }) => <Happenings days={told} />}
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
                <span class="aside">
                  {reasons.map((reason) => attentionWords[reason]).join(', ')}, <Time at={since} />
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
                <span class="aside">
                  <Time at={expires_at} />
                </span>
              )}
              nothing="No approval has an end."
              more={next !== null && <span class="aside">and others later</span>}
            />
          )}
        </Card>
      </div>
    </div>
  );
};

export default Overview;

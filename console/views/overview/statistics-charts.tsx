import type { DayStatistics } from '../../../shared/api/schemas/statistics.ts';
import { formatAddress } from '../../address/address.ts';
import { Time } from '../../parts/time.tsx';
import { Bars } from './bar-chart.tsx';
import { formatHours, type Span, sumDays, toSpans } from './day-spans.ts';

const formatCount = (count: number): string => count.toLocaleString('en');
const nameSpan = ({ from, to }: Span): string => (from === to ? from : `${from} to ${to}`);

const rows = [
  { title: 'Submitted', of: 'submitted' },
  { title: 'Approved', of: 'approved' },
  { title: 'Rejected', of: 'rejected' },
  { title: 'Expired', of: 'expired' },
] as const;

/** Returns the address of the events in some days. */
const linkTo = (type: (typeof rows)[number]['of'], { from, to }: Span): string =>
  formatAddress({ view: 'activity', query: { type, from, to } });

/** The charts of each kind of activity. Each has its own row, so that no meaning depends on colour. */
const ActivityCharts = ({
  spans,
  all,
}: {
  readonly spans: readonly Span[];
  readonly all: Span;
}) => (
  <ul class="charts">
    {rows.map(({ title, of }) => (
      <li key={of}>
        <a class="chart-title" href={linkTo(of, all)}>
          {title} <b>{formatCount(all[of])}</b>
        </a>
        <Bars
          label={`${title}: ${formatCount(all[of])} from ${nameSpan(all)}`}
          bars={spans.map((span) => ({
            key: span.from,
            value: span[of],
            title: `${nameSpan(span)}: ${formatCount(span[of])}`,
          }))}
        />
      </li>
    ))}
    <li>
      <span class="chart-title">
        Time to decision <b>{all.meanHours === null ? '–' : formatHours(all.meanHours)}</b>
        <span class="muted"> (mean)</span>
      </span>
      <Bars
        label={
          all.meanHours === null
            ? 'No first decisions'
            : `Time to the first decision: ${formatHours(all.meanHours)} (mean)`
        }
        bars={spans.map((span) => ({
          key: span.from,
          value: span.meanHours ?? 0,
          title: `${nameSpan(span)}: ${span.meanHours === null ? 'none' : formatHours(span.meanHours)}`,
        }))}
      />
    </li>
  </ul>
);

/** The share of decisions by people and by policy rules. */
const DecisionShare = ({ all }: { readonly all: Span }) => {
  const decisions = all.approved + all.rejected;
  if (decisions === 0) return <p class="muted">No decisions in these days.</p>;
  const people = decisions - all.byRule;
  const share = Math.round((people / decisions) * 100);
  return (
    <>
      <svg
        class="share"
        role="img"
        aria-label={`${share} % of ${decisions} decisions by people`}
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
      >
        <rect class="share-rest" width="100" height="1" />
        <rect class="share-part" width={share} height="1" />
      </svg>
      <p>
        <b>{formatCount(people)}</b> by people, <b>{formatCount(all.byRule)}</b> by{' '}
        <abbr title="A rule of the review policy decides routine versions automatically">
          policy
        </abbr>
      </p>
    </>
  );
};

const columns = [...rows.map(({ title }) => title), 'By policy', 'Time to decision'];

/** The values of the charts as a table, the latest first. */
const Numbers = ({ spans }: { readonly spans: readonly Span[] }) => {
  const active = spans.filter((span) =>
    [span.submitted, span.approved, span.rejected, span.expired].some((count) => count > 0),
  );
  return (
    <details>
      <summary>Show as table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it, too */}
      <section class="scrolled" tabIndex={0} aria-label="Numbers">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Days</th>
              {columns.map((column) => (
                <th scope="col" key={column}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {active.toReversed().map((span) => (
              <tr key={span.from}>
                <th scope="row">{nameSpan(span)}</th>
                {rows.map(({ of }) => (
                  <td key={of}>
                    {span[of] === 0 ? 0 : <a href={linkTo(of, span)}>{formatCount(span[of])}</a>}
                  </td>
                ))}
                <td>{formatCount(span.byRule)}</td>
                <td>{span.meanHours === null ? '–' : formatHours(span.meanHours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
};

/** The charts of the activity in some days. */
export const StatisticsCharts = ({ days }: { readonly days: readonly DayStatistics[] }) => {
  const all = sumDays(days);
  const spans = toSpans(days);
  return (
    <>
      <p class="muted">
        <Time at={all.from} as="day" /> to <Time at={all.to} as="day" />
      </p>
      <ActivityCharts spans={spans} all={all} />
      <h3>Decisions by people and by policy</h3>
      <DecisionShare all={all} />
      <Numbers spans={spans} />
    </>
  );
};

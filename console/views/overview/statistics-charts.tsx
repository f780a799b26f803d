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

/** Returns the address of a list of what is counted in a span of days. */
const linkTo = (type: (typeof rows)[number]['of'], { from, to }: Span): string =>
  formatAddress({ view: 'activity', query: { type, from, to } });

/** What happened on each day, a row for each kind: none is told from another by its colour. */
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
        Waited <b>{all.meanHours === null ? '–' : formatHours(all.meanHours)}</b>
        <span class="muted"> on average, before the first decision</span>
      </span>
      <Bars
        label={
          all.meanHours === null
            ? 'Nothing was decided for the first time'
            : `Time to the first decision: ${formatHours(all.meanHours)} on average`
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

/** How much was decided by rules, and how much by people. */
const DecisionShare = ({ all }: { readonly all: Span }) => {
  const decisions = all.approved + all.rejected;
  if (decisions === 0) return <p class="muted">Nothing was decided.</p>;
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
        <b>{formatCount(people)}</b> by people, <b>{formatCount(all.byRule)}</b> by a{' '}
        <abbr title="A rule of the policy decides on what needs no person">rule</abbr>
      </p>
    </>
  );
};

const columns = [...rows.map(({ title }) => title), 'By a rule', 'Waited'];

/** The same as numbers, the latest first, for who cannot see the bars or needs to know exactly. */
const Numbers = ({ spans }: { readonly spans: readonly Span[] }) => {
  const told = spans.filter((span) =>
    [span.submitted, span.approved, span.rejected, span.expired].some((count) => count > 0),
  );
  return (
    <details>
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys, too */}
      <section class="scrolled" tabIndex={0} aria-label="Numbers">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">When</th>
              {columns.map((column) => (
                <th scope="col" key={column}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {told.toReversed().map((span) => (
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

/** Pictures of what happened in some days. */
export const StatisticsCharts = ({ days }: { readonly days: readonly DayStatistics[] }) => {
  const all = sumDays(days);
  const spans = toSpans(days);
  return (
    <>
      <p class="muted">
        <Time at={all.from} as="day" /> to <Time at={all.to} as="day" />
      </p>
      <ActivityCharts spans={spans} all={all} />
      <h3>SignedInUser decided</h3>
      <DecisionShare all={all} />
      <Numbers spans={spans} />
    </>
  );
};

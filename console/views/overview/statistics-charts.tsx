import type { DayStatistics } from '../../../shared/api/schemas/statistics.ts';
import { Time } from '../../parts/time.tsx';
import { ActivityCharts, activityRows } from './activity-charts.tsx';
import { formatHours, type Span, sumDays, toSpans, toWeeks } from './day-spans.ts';
import { DecisionCharts } from './decision-charts.tsx';
import { formatCount } from './format-count.ts';
import { linkToActivity, nameSpan } from './span-links.ts';

const columns = [...activityRows.map(({ title }) => title), 'By policy', 'Mean time to decision'];

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
                {activityRows.map(({ of }) => (
                  <td key={of}>
                    {span[of] === 0 ? (
                      0
                    ) : (
                      <a href={linkToActivity(of, span)}>{formatCount(span[of])}</a>
                    )}
                  </td>
                ))}
                <td>
                  {span.byRule === 0 ? (
                    0
                  ) : (
                    <a href={linkToActivity('by-policy', span)}>{formatCount(span.byRule)}</a>
                  )}
                </td>
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
      <h3>Decisions by people and by policy, by week</h3>
      <DecisionCharts weeks={toWeeks(days)} all={all} />
      <Numbers spans={spans} />
    </>
  );
};

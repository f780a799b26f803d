import { Bars } from './bar-chart.tsx';
import type { Span } from './day-spans.ts';
import { formatCount, shortenCount } from './format-count.ts';
import { type ActivityList, linkToActivity, nameEnds, nameSpan } from './span-links.ts';

const countDecisions = ({ approved, rejected }: Span): number => approved + rejected;

interface Decider {
  readonly title: string;
  readonly list: ActivityList;
  readonly count: (span: Span) => number;
}

const deciders: readonly Decider[] = [
  {
    title: 'By people',
    list: 'by-people',
    count: (span) => countDecisions(span) - span.byRule,
  },
  { title: 'By policy', list: 'by-policy', count: ({ byRule }) => byRule },
];

interface DecisionChartsProps {
  readonly weeks: readonly Span[];
  /** All days together. */
  readonly all: Span;
}

/** The decisions by people and by policy rules, week by week. */
export const DecisionCharts = ({ weeks, all }: DecisionChartsProps) => {
  const decisions = countDecisions(all);
  if (decisions === 0) return <p class="muted">No decisions in these days.</p>;
  return (
    <ul class="charts">
      {deciders.map(({ title, list, count }) => (
        <li key={list}>
          <span>
            <a class="chart-title" href={linkToActivity(list, all)}>
              {title} <b>{formatCount(count(all))}</b>
            </a>
            <span class="muted"> ({Math.round((count(all) / decisions) * 100)} %)</span>
          </span>
          <Bars
            label={`${title}: ${formatCount(count(all))} from ${nameSpan(all)}`}
            days={nameEnds(all)}
            bars={weeks.map((week) => ({
              key: week.from,
              value: count(week),
              text: shortenCount(count(week)),
              title: `${nameSpan(week)}: ${formatCount(count(week))}`,
              href: linkToActivity(list, week),
            }))}
          />
        </li>
      ))}
    </ul>
  );
};

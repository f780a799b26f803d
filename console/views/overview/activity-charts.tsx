import { Bars } from './bar-chart.tsx';
import { formatHours, formatPercentile, type Span } from './day-spans.ts';
import { formatCount, shortenCount } from './format-count.ts';
import { linkToActivity, nameEnds, nameSpan } from './span-links.ts';

/** The kinds of activity, with the count of each. */
export const activityRows = [
  { title: 'Submitted', of: 'submitted' },
  { title: 'Approved', of: 'approved' },
  { title: 'Rejected', of: 'rejected' },
  { title: 'Expired', of: 'expired' },
] as const;

interface ChartsProps {
  readonly spans: readonly Span[];
  /** All days together. */
  readonly all: Span;
}

/** An immediate decision has a bar, too. */
const minHours = 1 / 3600;

/** The median and the slowest tenth say more than the mean, which few old versions can move far. */
const WaitTimes = ({ all }: Pick<ChartsProps, 'all'>) => {
  const [median, most] = [formatPercentile(all, 0.5), formatPercentile(all, 0.9)];
  return (
    <span class="muted">
      {median !== null && `median ${median}; 90 % within ${most}; `}
      {all.meanHours === null ? 'no first decisions' : `mean ${formatHours(all.meanHours)}`}
    </span>
  );
};

const WaitChart = ({ spans, all }: ChartsProps) => (
  <li>
    <span>
      <a class="chart-title" href={linkToActivity('decided', all)}>
        Time to decision
      </a>{' '}
      <WaitTimes all={all} />
    </span>
    <Bars
      label="Mean time to the first decision"
      days={nameEnds(all)}
      bars={spans.map((span) => ({
        key: span.from,
        value: span.meanHours === null ? 0 : Math.max(span.meanHours, minHours),
        text: span.meanHours === null ? '' : formatHours(span.meanHours),
        title: `${nameSpan(span)}: ${span.meanHours === null ? 'none' : formatHours(span.meanHours)}`,
        href: linkToActivity('decided', span),
      }))}
    />
  </li>
);

/** The charts of each kind of activity. Each has its own row, so that no meaning depends on colour. */
export const ActivityCharts = ({ spans, all }: ChartsProps) => (
  <ul class="charts">
    {activityRows.map(({ title, of }) => (
      <li key={of}>
        <a class="chart-title" href={linkToActivity(of, all)}>
          {title} <b>{formatCount(all[of])}</b>
        </a>
        <Bars
          label={`${title}: ${formatCount(all[of])} from ${nameSpan(all)}`}
          days={nameEnds(all)}
          bars={spans.map((span) => ({
            key: span.from,
            value: span[of],
            text: shortenCount(span[of]),
            title: `${nameSpan(span)}: ${formatCount(span[of])}`,
            href: linkToActivity(of, span),
          }))}
        />
      </li>
    ))}
    <WaitChart spans={spans} all={all} />
  </ul>
);

import { useEffect, useState } from 'preact/hooks';
import { dayMs, hourMs, minuteMs } from '../../shared/util/duration.ts';

const units: readonly (readonly [ms: number, short: string])[] = [
  [365 * dayMs, 'y'],
  [30 * dayMs, 'mo'],
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
];

/** Returns a duration in its largest unit: `3 d`. */
const formatSpan = (ms: number): string => {
  const [unit, short] = units.find(([length]) => ms >= length) ?? [];
  return unit === undefined ? 'now' : `${Math.floor(ms / unit)} ${short}`;
};

const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});
const dateOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** Returns the current time, and renders again every half minute. */
const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return now;
};

const formatRelative = (ms: number): string => {
  const span = formatSpan(Math.abs(ms));
  if (span === 'now') return 'just now';
  return ms < 0 ? `in ${span}` : `${span} ago`;
};

interface TimeProps {
  readonly at: string;
  /** `age`: `3 d` in place of `3 d ago`. `day`: the date alone. */
  readonly as?: 'age' | 'day';
}

/** A relative time, such as `3 d ago`. The tooltip and screen readers have the exact time. */
export const Time = ({ at, as }: TimeProps) => {
  const now = useNow();
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return <span>{at}</span>;
  const exactTime = exact.format(moment);
  const ms = now - moment;
  const shown =
    as === 'day' ? dateOnly.format(moment) : as === 'age' ? formatSpan(ms) : formatRelative(ms);
  return (
    <time dateTime={at} title={exactTime}>
      <span aria-hidden="true">{shown}</span>
      <span class="visually-hidden">{exactTime}</span>
    </time>
  );
};

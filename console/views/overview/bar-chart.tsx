import { useState } from 'preact/hooks';

/** One bar: its value, and the list that it counts. */
export interface Bar {
  readonly key: string;
  readonly value: number;
  /** The value as text. Short, because it stands above the bar. */
  readonly text: string;
  /** The tooltip: the days and the value. */
  readonly title: string;
  /** The address of the list. */
  readonly href: string;
}

/** The most bars that have room for their values. */
const maxValues = 14;

/** Keeps small values visible, as a part of the height. */
const minHeight = 0.04;

/** The height of a bar, below the line of its value if it has one. */
const measure = (value: number, highest: number, hasValues: boolean): string =>
  `calc((100% - ${hasValues ? 16 : 0}px) * ${Math.max(value / highest, minHeight)})`;

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Moves the focus to another bar: the previous, next, first or last one. */
const moveFocus = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const step = steps[event.key];
  const moved = step === undefined ? undefined : links[at + step];
  const end = event.key === 'Home' ? links[0] : event.key === 'End' ? links.at(-1) : undefined;
  const next = moved ?? end;
  if (!next) return;
  event.preventDefault();
  next.focus();
};

/** The links of a chart: one stop of the Tab key, from which arrow keys lead to the others. */
const BarList = ({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) => {
  const [focused, setFocused] = useState<string>();
  const counted = bars.filter(({ value }) => value > 0);
  const stop = counted.find(({ key }) => key === focused) ?? counted.at(-1);
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  const hasValues = bars.length <= maxValues;
  return (
    <ol class="bars" aria-label={label} onKeyDown={moveFocus}>
      {bars.map((bar) => (
        <li key={bar.key} aria-hidden={bar.value === 0}>
          {bar.value > 0 && (
            <a
              href={bar.href}
              title={bar.title}
              aria-label={bar.title}
              tabIndex={bar === stop ? 0 : -1}
              onFocus={() => setFocused(bar.key)}
            >
              {hasValues && <span class="bar-value">{bar.text}</span>}
              <span class="bars-bar" style={{ height: measure(bar.value, highest, hasValues) }} />
            </a>
          )}
        </li>
      ))}
    </ol>
  );
};

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** The first and the last day. */
  readonly days: readonly [first: string, last: string];
}

/** A bar chart with its days and its highest value. Each bar opens the list that it counts. */
export const Bars = ({ bars, label, days: [first, last] }: BarsProps) => {
  const [top] = bars.toSorted((one, other) => other.value - one.value);
  if (!top || top.value === 0) return null;
  return (
    <div class="bar-chart">
      <BarList bars={bars} label={label} />
      <p class="bar-scale muted" aria-hidden="true">
        <span>{first}</span>
        {bars.length > maxValues && <span>most: {top.text}</span>}
        <span>{last}</span>
      </p>
    </div>
  );
};

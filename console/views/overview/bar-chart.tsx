/** One bar: its value, and its tooltip. */
export interface Bar {
  readonly key: string;
  readonly value: number;
  readonly title: string;
}

const height = 24;
/** Keeps small values visible. */
const minHeight = 1;

const measure = (value: number, highest: number): number =>
  value === 0 ? 0 : Math.max((value / highest) * height, minHeight);

/** A bar chart. The total stands beside it, and each value in the table below. */
export const Bars = ({
  bars,
  label,
}: {
  readonly bars: readonly Bar[];
  readonly label: string;
}) => {
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <svg
      class="bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(bars.length, 1)} ${height}`}
      preserveAspectRatio="none"
    >
      <line x1="0" x2={bars.length} y1={height} y2={height} class="bars-ground" />
      {bars.map(({ key, value, title }, at) => {
        const tall = measure(value, highest);
        return (
          <rect key={key} class="bars-bar" x={at + 0.1} width="0.8" y={height - tall} height={tall}>
            <title>{title}</title>
          </rect>
        );
      })}
    </svg>
  );
};

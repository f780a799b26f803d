/** The tables of the model in Markdown, as the page on speed shows them. */
import type { Builds, Month } from './month.ts';

/** Returns a price with two significant digits above 10 USD, and one decimal below. */
const formatUsd = (usd: number): string => {
  if (usd < 10) return usd.toFixed(1);
  return Number(usd.toPrecision(2)).toLocaleString('en');
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the table of prices: a row for each kind of work, a column for each size. */
export const tableOfMonths = (months: readonly Month[]): string => {
  const names = Object.keys(months[0]?.parts ?? {});
  return [
    row(['USD a month', ...months.map(({ versions }) => versions.toLocaleString('en'))]),
    row(['---', ...months.map(() => '---')]),
    ...names.map((name) => row([name, ...months.map(({ parts }) => formatUsd(parts[name] ?? 0))])),
    row(['**total**', ...months.map(({ total }) => `**${formatUsd(total)}**`)]),
  ].join('\n');
};

/** Returns the table of the prices of builds. */
export const tableOfBuilds = ({ buildsADay, ways }: Builds): string =>
  [
    row([`${buildsADay.toLocaleString('en')} builds a day`, 'requests of a build', 'USD a month']),
    row(['---', '---', '---']),
    ...ways.map(({ name, requests, usd }) =>
      row([name, requests.toLocaleString('en'), formatUsd(usd)]),
    ),
  ].join('\n');

/** The tables of the model in Markdown, as the page on speed shows them. */
import type { Builds, Month, Signing } from './month.ts';

/** Returns a price with two significant digits above 10 USD, and one decimal below. */
const formatUsd = (usd: number): string => {
  if (usd < 10) return usd.toFixed(1);
  return Number(usd.toPrecision(2)).toLocaleString('en');
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the rows of a table: a head with the sizes, and a row for each part. */
const listRows = (title: string, priced: readonly Pick<Month, 'versions' | 'parts'>[]) => {
  const names = Object.keys(priced[0]?.parts ?? {});
  return [
    row([title, ...priced.map(({ versions }) => versions.toLocaleString('en'))]),
    row(['---', ...priced.map(() => '---')]),
    ...names.map((name) => row([name, ...priced.map(({ parts }) => formatUsd(parts[name] ?? 0))])),
  ];
};

/** Returns the table of prices: a row for each kind of work, a column for each size. */
export const tableOfMonths = (months: readonly Month[]): string =>
  [
    ...listRows('USD a month', months),
    row(['**total**', ...months.map(({ total }) => `**${formatUsd(total)}**`)]),
  ].join('\n');

/** Returns the table of what signed decisions add. */
export const tableOfSigning = (months: readonly Signing[]): string =>
  listRows('USD a month more', months).join('\n');

/** Returns the table of the prices of builds. */
export const tableOfBuilds = ({ buildsADay, ways }: Builds): string =>
  [
    row([`${buildsADay.toLocaleString('en')} builds a day`, 'requests of a build', 'USD a month']),
    row(['---', '---', '---']),
    ...ways.map(({ name, requests, usd }) =>
      row([name, requests.toLocaleString('en'), formatUsd(usd)]),
    ),
  ].join('\n');

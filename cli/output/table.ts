import type { Output } from '../terminal.ts';
import { labelOf, widthOf, wrap } from './text.ts';
import { coloured, isRecord, isTable, shown } from './values.ts';

export type Row = Readonly<Record<string, unknown>>;

const gap = 2;
/** A column narrower than this says nothing: the rows then stand one field a line. */
const narrowest = 8;

/** All that fits into a cell, in the order of the first row. */
const columnsOf = ([first = {}]: readonly Row[]): string[] =>
  Object.entries(first).flatMap(([name, value]) =>
    isRecord(value) || isTable(value) ? [] : [name],
  );

const headOf = (column: string): string => labelOf(column).toUpperCase();

const naturalWidth = (column: string, rows: readonly Row[]): number =>
  Math.max(widthOf(headOf(column)), ...rows.map((row) => widthOf(shown(row[column]))));

/** Takes from the widest column until all fit; undefined if they cannot. */
const fitted = (widths: readonly number[], total: number): number[] | undefined => {
  const fitting = [...widths];
  const sum = (): number => fitting.reduce((all, width) => all + width + gap, -gap);
  while (sum() > total) {
    const widest = Math.max(...fitting);
    if (widest <= narrowest) return undefined;
    fitting[fitting.indexOf(widest)] = widest - 1;
  }
  return fitting;
};

const padded = (text: string, width: number): string =>
  `${text}${' '.repeat(Math.max(0, width - widthOf(text)))}`;

type Cell = { readonly text: string; readonly style: (text: string) => string };

/** One row, over as many lines as its tallest cell needs. */
const rowLines = (cells: readonly Cell[], widths: readonly number[]): string[] => {
  const wrapped = cells.map(({ text }, at) => wrap(text, widths[at] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map(({ style }, at) => {
        const text = wrapped[at]?.[line] ?? '';
        const isLast = at === cells.length - 1;
        const blanks = isLast ? '' : padded('', (widths[at] ?? 0) - widthOf(text) + gap);
        return `${style(text)}${blanks}`;
      })
      .join('')
      .trimEnd(),
  );
};

/** One field, over as many lines as it needs. */
export const stackedField = (row: Row, column: string, output: Output): string[] => {
  const text = shown(row[column]);
  if (text === '') return [];
  const label = `${labelOf(column)}:`;
  const [first = '', ...others] = wrap(`${label} ${text}`, output.width);
  if (!first.startsWith(label)) return [first, ...others];
  const begun = first.slice(label.length);
  const value = others.length > 0 ? begun : ` ${coloured(text, output)}`;
  return [`${output.style('dim', label)}${value}`, ...others];
};

const stacked = (rows: readonly Row[], columns: readonly string[], output: Output): string[] =>
  rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...columns.flatMap((column) => stackedField(row, column, output)),
  ]);

/** Rows as a table that fits the terminal, as lines. */
export const tableLines = (
  rows: readonly Row[],
  output: Output,
  columns: readonly string[] = columnsOf(rows),
): string[] => {
  const natural = columns.map((column) => naturalWidth(column, rows));
  const widths = fitted(natural, output.width);
  if (!widths) return stacked(rows, columns, output);
  const header = columns.map((column) => ({
    text: headOf(column),
    style: (text: string) => output.style('dim', text),
  }));
  const body = rows.map((row) =>
    columns.map((column) => {
      const text = shown(row[column]);
      return { text, style: (part: string) => (part === text ? coloured(part, output) : part) };
    }),
  );
  return [header, ...body].flatMap((cells) => rowLines(cells, widths));
};

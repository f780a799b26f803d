import { isObject, type JsonObject } from '../../shared/domain/json.ts';
import type { Output } from './terminal.ts';
import { measureWidth, toLabel, wrap } from './text.ts';
import { colourValue, formatValue, isTable } from './values.ts';

const gap = 2;
/** A column narrower than this says nothing: the rows then stand one field a line. */
const narrowest = 8;

/** All that fits into a cell, in the order of the first row. */
const chooseColumns = ([first = {}]: readonly JsonObject[]): string[] =>
  Object.entries(first).flatMap(([name, value]) =>
    isObject(value) || isTable(value) ? [] : [name],
  );

const toHeading = (column: string): string => toLabel(column).toUpperCase();

const measureColumn = (column: string, rows: readonly JsonObject[]): number =>
  Math.max(
    measureWidth(toHeading(column)),
    ...rows.map((row) => measureWidth(formatValue(row[column]))),
  );

/** Takes from the widest column until all fit; undefined if they cannot. */
const fitWidths = (widths: readonly number[], total: number): number[] | undefined => {
  const fitting = [...widths];
  const sum = (): number => fitting.reduce((all, width) => all + width + gap, -gap);
  while (sum() > total) {
    const widest = Math.max(...fitting);
    if (widest <= narrowest) return undefined;
    fitting[fitting.indexOf(widest)] = widest - 1;
  }
  return fitting;
};

type Cell = { readonly text: string; readonly style: (text: string) => string };

/** One row, over as many lines as its tallest cell needs. */
const formatRow = (cells: readonly Cell[], widths: readonly number[]): string[] => {
  const wrapped = cells.map(({ text }, at) => wrap(text, widths[at] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map(({ style }, at) => {
        const text = wrapped[at]?.[line] ?? '';
        const blanks = Math.max(0, (widths[at] ?? 0) - measureWidth(text) + gap);
        return `${style(text)}${' '.repeat(blanks)}`;
      })
      .join('')
      .trimEnd(),
  );
};

/** Formats one field of a row with its label, over as many lines as it needs. */
export const formatField = (row: JsonObject, column: string, output: Output): string[] => {
  const text = formatValue(row[column]);
  if (text === '') return [];
  const label = `${toLabel(column)}:`;
  const [first = '', ...others] = wrap(`${label} ${text}`, output.width);
  if (!first.startsWith(label)) return [first, ...others];
  const begun = first.slice(label.length);
  const value = others.length > 0 ? begun : ` ${colourValue(text, output)}`;
  return [`${output.style('dim', label)}${value}`, ...others];
};

const stackRows = (
  rows: readonly JsonObject[],
  columns: readonly string[],
  output: Output,
): string[] =>
  rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...columns.flatMap((column) => formatField(row, column, output)),
  ]);

/** Formats rows as a table that fits the terminal, or one field a line where none fits. */
export const formatTable = (
  rows: readonly JsonObject[],
  output: Output,
  columns: readonly string[] = chooseColumns(rows),
): string[] => {
  const natural = columns.map((column) => measureColumn(column, rows));
  const widths = fitWidths(natural, output.width);
  if (!widths) return stackRows(rows, columns, output);
  const header = columns.map((column) => ({
    text: toHeading(column),
    style: (text: string) => output.style('dim', text),
  }));
  const body = rows.map((row) =>
    columns.map((column) => {
      const text = formatValue(row[column]);
      return { text, style: (part: string) => (part === text ? colourValue(part, output) : part) };
    }),
  );
  return [header, ...body].flatMap((cells) => formatRow(cells, widths));
};

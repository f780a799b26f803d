import { isObject, type JsonObject } from '../../shared/util/json.ts';
import type { Output } from './terminal.ts';
import { measureWidth, toLabel, wrap } from './text.ts';
import { colourValue, formatValue, isTable } from './values.ts';

const gap = 2;
/** Narrower columns are unreadable: then each field of a row has a line. */
const narrowest = 8;

/** Returns the columns with single values, in the order of the first row. */
const chooseColumns = ([first = {}]: readonly JsonObject[]): string[] =>
  Object.entries(first).flatMap(([name, value]) =>
    isObject(value) || isTable(value) ? [] : [name],
  );

const toHeading = (column: string): string => toLabel(column).toUpperCase();

const findWidest = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, measureWidth(text)), 0);

const listTexts = (column: string, rows: readonly JsonObject[]): string[] => [
  toHeading(column),
  ...rows.map((row) => formatValue(row[column])),
];

const fits = (widths: readonly number[], total: number): boolean =>
  widths.reduce((all, width) => all + width + gap, -gap) <= total;

/** Narrows the widest column until all fit, or until every column is at its floor. */
const narrow = (
  widths: readonly number[],
  floors: readonly number[],
  total: number,
): readonly number[] => {
  const fitting = [...widths];
  while (!fits(fitting, total)) {
    const able = fitting.map((width, at) => (width > (floors[at] ?? 0) ? width : 0));
    const widest = Math.max(...able);
    if (widest === 0) break;
    fitting[able.indexOf(widest)] = widest - 1;
  }
  return fitting;
};

/** Returns widths that fit; breaks words only as a last resort. Undefined if no widths fit. */
const fitWidths = (
  columns: readonly (readonly string[])[],
  total: number,
): readonly number[] | undefined => {
  const natural = columns.map(findWidest);
  if (fits(natural, total)) return natural;
  const words = columns.map((texts) => findWidest(texts.flatMap((text) => text.split(' '))));
  const whole = narrow(
    natural,
    words.map((width) => Math.max(width, narrowest)),
    total,
  );
  const broken = narrow(
    whole,
    whole.map(() => narrowest),
    total,
  );
  return fits(broken, total) ? broken : undefined;
};

type Cell = { readonly text: string; readonly style: (text: string) => string };

/** Formats one row, over as many lines as its tallest cell needs. */
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

/** Formats rows as a table that fits the terminal, or with one field in a line if no table fits. */
export const formatTable = (
  rows: readonly JsonObject[],
  output: Output,
  columns: readonly string[] = chooseColumns(rows),
): string[] => {
  const texts = columns.map((column) => listTexts(column, rows));
  const widths = fitWidths(texts, output.width);
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

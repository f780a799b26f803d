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

/** The part of the width that a column gets for long words at most. A longer word has a line of its own. */
const mostForWords = 0.45;

const measureWords = (text: string): number => findWidest(text.split(' '));

/** Returns widths at which no word breaks; undefined if none fit. */
const fitWidths = (
  columns: readonly (readonly string[])[],
  total: number,
): readonly number[] | undefined => {
  const natural = columns.map(findWidest);
  const words = columns.map((texts) => Math.max(...texts.map(measureWords)));
  const floors = words.map((width, at) =>
    Math.min(
      Math.max(Math.min(width, Math.floor(total * mostForWords)), narrowest),
      natural[at] ?? 0,
    ),
  );
  const widths = narrow(natural, floors, total);
  return fits(widths, total) ? widths : undefined;
};

interface Layout {
  readonly columns: readonly string[];
  readonly widths: readonly number[];
}

/** Leaves out columns, the first of `droppable` first, until the others fit. Undefined if they never do. */
const layOut = (
  rows: readonly JsonObject[],
  columns: readonly string[],
  droppable: readonly string[],
  total: number,
): Layout | undefined => {
  const widths = fitWidths(
    columns.map((column) => listTexts(column, rows)),
    total,
  );
  if (widths) return { columns, widths };
  const at = droppable.findIndex((column) => columns.includes(column));
  const dropped = droppable[at];
  if (dropped === undefined) return undefined;
  const others = columns.filter((column) => column !== dropped);
  return layOut(rows, others, droppable.slice(at + 1), total);
};

type Cell = { readonly text: string; readonly style: (text: string) => string };

const alignCells = (cells: readonly Cell[], widths: readonly number[]): string[] => {
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

/** Formats one row, over as many lines as its tallest cell needs. A name that is too long comes before, on its own line. */
const formatRow = (
  cells: readonly Cell[],
  widths: readonly number[],
  { width: total }: Pick<Output, 'width'>,
): string[] => {
  const isTooLong = ({ text }: Cell, at: number): boolean =>
    !text.includes(' ') && measureWidth(text) > (widths[at] ?? 0);
  const tooLong = cells.filter(isTooLong);
  const others = cells.map((cell, at) => (isTooLong(cell, at) ? { ...cell, text: '' } : cell));
  const aligned = others.some(({ text }) => text !== '') ? alignCells(others, widths) : [];
  return [...tooLong.flatMap(({ text, style }) => wrap(text, total).map(style)), ...aligned];
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

const noteDropped = (
  columns: readonly string[],
  shown: readonly string[],
  output: Output,
): string[] => {
  const dropped = columns.filter((column) => !shown.includes(column)).map(toLabel);
  return dropped.length === 0
    ? []
    : [output.style('dim', `A wider terminal also shows: ${dropped.join(', ').toLowerCase()}.`)];
};

/**
 * Formats rows as a table that fits the terminal, or with one field in a line if no table fits. No word breaks in a table.
 * @param droppable the columns that a narrow terminal leaves out, the least important first
 */
export const formatTable = (
  rows: readonly JsonObject[],
  output: Output,
  columns: readonly string[] = chooseColumns(rows),
  droppable: readonly string[] = [],
): string[] => {
  const layout = layOut(rows, columns, droppable, output.width);
  if (!layout) return stackRows(rows, columns, output);
  const { columns: shown, widths } = layout;
  const header = shown.map((column) => ({
    text: toHeading(column),
    style: (text: string) => output.style('dim', text),
  }));
  const body = rows.map((row) =>
    shown.map((column) => {
      const text = formatValue(row[column]);
      return { text, style: (part: string) => (part === text ? colourValue(part, output) : part) };
    }),
  );
  return [
    ...[header, ...body].flatMap((cells) => formatRow(cells, widths, output)),
    ...noteDropped(columns, shown, output).flatMap((line) => wrap(line, output.width)),
  ];
};

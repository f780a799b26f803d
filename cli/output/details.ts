import type { Output } from '../terminal.ts';
import { type Row, stackedField, tableLines } from './table.ts';
import { labelOf, printable, widthOf, wrap } from './text.ts';
import { coloured, isTable, shown } from './values.ts';

/** With less room for values, each field stands alone. */
const narrowest = 20;

/** Text keeps its own lines here, where there is room for them. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? printable(value.trim()) : shown(value);

/**
 * Everything that is known of one thing, a field a line; lists of things follow as tables.
 * @param columns of these tables
 */
export const detailLines = (
  thing: object,
  output: Output,
  columns?: readonly string[],
): string[] => {
  const entries = Object.entries(thing).filter(([, value]) => value !== null);
  const fields = entries.filter(([, value]) => !isTable(value));
  const labelWidth = Math.max(0, ...fields.map(([name]) => widthOf(labelOf(name)))) + 2;
  const valueWidth = output.width - labelWidth;
  const line = ([name, value]: [string, unknown]): string[] => {
    const [first = '', ...others] = wrap(textOf(value), valueWidth);
    return [
      `${output.style('dim', labelOf(name).padEnd(labelWidth))}${coloured(first, output)}`.trimEnd(),
      ...others.map((text) => `${' '.repeat(labelWidth)}${text}`),
    ];
  };
  const stackedLine = ([name]: [string, unknown]): string[] =>
    stackedField(thing as Row, name, output);
  return [
    ...(valueWidth < narrowest ? fields.flatMap(stackedLine) : fields.flatMap(line)),
    ...entries.flatMap(([name, value]) =>
      isTable(value)
        ? ['', output.style('bold', labelOf(name)), ...tableLines(value, output, columns)]
        : [],
    ),
  ];
};

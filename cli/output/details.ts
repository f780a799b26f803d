import { formatField, formatTable } from './table.ts';
import type { Output } from './terminal.ts';
import { measureWidth, toLabel, toPrintable, wrap } from './text.ts';
import { colourValue, formatValue, isTable } from './values.ts';

/** With less room for values, each field stands alone. */
const narrowest = 20;
/** What ends the name of a field that says how the field of the name before it reads. */
const readingSuffix = '_reading';

/** Text keeps its own lines here, where there is room for them. */
const formatText = (value: unknown): string =>
  typeof value === 'string' ? toPrintable(value.trim()) : formatValue(value);

/** Fields below each other, their values in a column of their own. */
const alignFields = (fields: readonly [string, unknown][], output: Output): string[] => {
  const labelWidth = Math.max(0, ...fields.map(([name]) => measureWidth(toLabel(name)))) + 2;
  const valueWidth = output.width - labelWidth;
  if (valueWidth < narrowest) {
    return fields.flatMap(([name, value]) => formatField({ [name]: value }, name, output));
  }
  return fields.flatMap(([name, value]) => {
    const [first = '', ...others] = wrap(formatText(value), valueWidth);
    const label = output.style('dim', toLabel(name).padEnd(labelWidth));
    return [
      `${label}${colourValue(first, output)}`.trimEnd(),
      ...others.map((text) => `${' '.repeat(labelWidth)}${text}`),
    ];
  });
};

/** Whether a field says how another one reads, and it reads as it is written. */
const saysNothingNew = (thing: ReadonlyMap<string, unknown>, name: string): boolean =>
  name.endsWith(readingSuffix) &&
  thing.get(name) === thing.get(name.slice(0, -readingSuffix.length));

/**
 * Formats everything that is known of one thing, a field a line; lists of things follow as tables.
 * @param columns of these tables
 */
export const formatDetails = (
  thing: object,
  output: Output,
  columns?: readonly string[],
): string[] => {
  const all = new Map(Object.entries(thing));
  const known = [...all].filter(([name, value]) => value !== null && !saysNothingNew(all, name));
  const fields = known.filter(([, value]) => !isTable(value));
  return [
    ...alignFields(fields, output),
    ...known.flatMap(([name, value]) =>
      isTable(value)
        ? ['', output.style('bold', toLabel(name)), ...formatTable(value, output, columns)]
        : [],
    ),
  ];
};

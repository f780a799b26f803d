import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { formatField, formatTable } from './table.ts';
import type { Output } from './terminal.ts';
import { measureWidth, toLabel, toOneLine, toPrintable, wrap } from './text.ts';
import { colourValue, formatValue, isTable } from './values.ts';

/** With less width for values, each field has lines of its own. */
const narrowest = 20;
/** The suffix of a field that holds the normalized value of another field. */
const normalizedSuffix = '_normalized';

/** Text keeps its line breaks here. */
const formatText = (value: unknown): string =>
  typeof value === 'string' ? toPrintable(dropMilliseconds(value.trim())) : formatValue(value);

/** Formats fields below each other, with their values in one column. */
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

/** Returns whether a field is the normalized value of another field, and equal to it. */
const isRedundant = (thing: ReadonlyMap<string, unknown>, name: string): boolean =>
  name.endsWith(normalizedSuffix) &&
  thing.get(name) === thing.get(name.slice(0, -normalizedSuffix.length));

/**
 * Formats the fields of one object, one in a line. Lists of objects follow as tables.
 * @param columns the columns of these tables
 */
export const formatDetails = (
  thing: object,
  output: Output,
  columns?: readonly string[],
): string[] => {
  const all = new Map(Object.entries(thing));
  const known = [...all].filter(([name, value]) => value !== null && !isRedundant(all, name));
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

/** Formats what happened as a sentence that stands out. */
export const formatSentence = (sentence: string, output: Output): string[] =>
  wrap(toOneLine(sentence), output.width).map((line) => output.style('bold', line));

/** Formats what happened as a sentence, and the fields of an object below it. */
export const formatWithSentence = (sentence: string, thing: object, output: Output): string[] => [
  ...formatSentence(sentence, output),
  '',
  ...formatDetails(thing, output),
];

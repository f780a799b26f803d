import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import type { Output } from './terminal.ts';
import { toOneLine } from './text.ts';

/** Values that stand out by their colour, in any field. */
const colours = new Map<string, Parameters<Output['style']>[0]>(
  Object.entries({
    approved: 'green',
    passed: 'green',
    compatible: 'green',
    pending: 'yellow',
    warning: 'yellow',
    conditional: 'yellow',
    medium: 'yellow',
    unrated: 'yellow',
    rejected: 'red',
    failed: 'red',
    'needs attention': 'red',
    error: 'red',
    incompatible: 'red',
    high: 'red',
    critical: 'red',
  } as const),
);

/** Colours values such as `rejected`; returns every other text as it is. */
export const colourValue = (text: string, { style }: Output): string => {
  const colour = colours.get(text);
  return colour ? style(colour, text) : text;
};

/** Returns whether a value is a list of objects, which becomes a table. */
export const isTable = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** People see this many values of a list; programs get all. */
const mostListed = 20;

const formatList = (values: readonly unknown[]): string => {
  const more = values.length - mostListed;
  const first = values.slice(0, mostListed).map(formatValue).join(', ');
  return more > 0 ? `${first}, and ${more} more` : first || 'none';
};

/** Formats any value in one line for people. */
export const formatValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return formatList(value);
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${toOneLine(name)} ${formatValue(part)}`)
      .join(', ');
  }
  return toOneLine(dropMilliseconds(String(value)));
};

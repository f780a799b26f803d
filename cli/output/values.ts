import type { Output } from '../terminal.ts';
import { oneLine } from './text.ts';

/** What a reader's eye should find, whatever field it stands in. */
const colours = new Map<string, Parameters<Output['style']>[0]>(
  Object.entries({
    approved: 'green',
    passed: 'green',
    compatible: 'green',
    pending: 'yellow',
    warning: 'yellow',
    conditional: 'yellow',
    medium: 'yellow',
    rejected: 'red',
    failed: 'red',
    error: 'red',
    incompatible: 'red',
    high: 'red',
    critical: 'red',
  } as const),
);

export const coloured = (text: string, { style }: Output): string => {
  const colour = colours.get(text);
  return colour ? style(colour, text) : text;
};

type Row = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Entries with fields of their own, to be shown as a table. */
export const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** More than anybody reads; programs get all. */
const mostListed = 20;

const listed = (values: readonly unknown[]): string => {
  const more = values.length - mostListed;
  const first = values.slice(0, mostListed).map(shown).join(', ');
  return more > 0 ? `${first}, and ${more} more` : first || 'none';
};

/** A value in one line for people. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listed(value);
  if (isRecord(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${oneLine(name)} ${shown(part)}`)
      .join(', ');
  }
  return oneLine(String(value));
};

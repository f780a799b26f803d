import { RegistryEvent } from '../../../shared/api/schemas/event.ts';

/** The columns of the file: the fields of an event, in the order of the API. */
const columns = Object.keys(RegistryEvent.shape) as (keyof RegistryEvent)[];

/**
 * A place where a spreadsheet could begin a formula: the start of the text, or of a cell or line for a program that splits
 * the text at other signs. Signs of full width count, too.
 */
const formulaStart = /(^|[;\t\r\n])(\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Returns text that no spreadsheet runs as a formula: an apostrophe precedes each start of one. */
const defuse = (text: string): string => text.replace(formulaStart, "$1'$2");

const formatCell = (value: RegistryEvent[keyof RegistryEvent] | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return `"${defuse(value.toWellFormed()).replaceAll('"', '""')}"`;
};

/** The first line of the file, with the names of the columns. */
export const csvHead = `${columns.join(',')}\r\n`;

/** Formats an event as one record of CSV (RFC 4180). */
export const formatCsv = (event: RegistryEvent): string =>
  `${columns.map((column) => formatCell(event[column])).join(',')}\r\n`;

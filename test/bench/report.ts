/** The measured figures as a table to read and as JSON to compare. */
import type { Figures } from './figures.ts';

/** A case; for lists, also the cost of the two simpler designs. */
export interface Result {
  readonly versions: number;
  readonly name: string;
  readonly catalogue: Figures;
  readonly scanAndFilter?: Figures;
  readonly countAndSkip?: Figures;
}

const nameWidth = 40;
const kilobyte = 1000;

const number = (value: number, width: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 1 }).padStart(width);

const catalogueHead = '   read  write  calls  trips       kB       ms';
const otherHead = '      read  trips        ms';

const catalogueColumns = ({ readUnits, writeUnits, calls, roundTrips, bytes, ms }: Figures) =>
  [
    number(readUnits, 7),
    number(writeUnits, 7),
    number(calls, 7),
    number(roundTrips, 7),
    number(bytes / kilobyte, 9),
    number(ms, 9),
  ].join('');

const otherColumns = (figures: Figures | undefined): string =>
  figures
    ? [number(figures.readUnits, 10), number(figures.roundTrips, 7), number(figures.ms, 10)].join(
        '',
      )
    : '';

const line = (...columns: readonly string[]): string => columns.join('  |').trimEnd();

/** The results of one size, as lines. */
export const tableOf = (versions: number, results: readonly Result[]): string => {
  const title = `${versions.toLocaleString('en')} versions`.padEnd(nameWidth);
  const ways = ['counted catalogue', 'scan and filter', 'index, count, skip'] as const;
  const heads = [catalogueHead, otherHead, otherHead];
  return [
    line(title, ...ways.map((way, at) => ` ${way}`.padEnd(heads[at]?.length ?? 0))),
    line(''.padEnd(nameWidth), ...heads),
    ...results.map(({ name, catalogue, scanAndFilter, countAndSkip }) =>
      line(
        name.padEnd(nameWidth),
        catalogueColumns(catalogue),
        otherColumns(scanAndFilter).padEnd(otherHead.length),
        otherColumns(countAndSkip),
      ).replace(/[\s|]+$/, ''),
    ),
    '',
  ].join('\n');
};

export const legend = `read, write: capacity units, of strongly consistent reads (means, where versions differ)
calls: to DynamoDB; trips: the longest chain of calls that wait for each other; kB: requests and answers
ms: here, on the embedded engine, the median of several; only informational
scan and filter: one scan, which costs the same for every list and search
index, count, skip: over the catalogue's rows, so its searches look at names but not at descriptions
`;

/** The measured figures as a table to read. */
import type { Ratio } from './figures.ts';

export interface Weight {
  readonly bytes: number;
  readonly zipped: number;
}

/** By candidate. Ratios are to `bare`. */
export interface Report {
  readonly bundle: Readonly<Record<string, Weight>>;
  readonly import: Readonly<Record<string, Ratio>>;
  readonly start: Readonly<Record<string, Ratio>>;
  readonly request: Readonly<Record<string, Ratio>>;
  readonly read: Readonly<Record<string, Ratio>>;
  readonly list: Readonly<Record<string, Ratio>>;
  readonly write: Readonly<Record<string, Ratio>>;
}

const nameWidth = 28;
const columnWidth = 11;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

const showTime = (microseconds: number): string =>
  microseconds < 1000 ? `${microseconds.toFixed(1)} us` : `${(microseconds / 1000).toFixed(1)} ms`;

const line = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(columnWidth)).join('')}`.trimEnd();

const sections = {
  import: 'import, fresh process',
  start: 'import and first request, fresh process',
  request: 'a request, warm, with its call',
  read: 'handler alone: read one',
  list: 'handler alone: list, with Link',
  write: 'handler alone: write, with token',
} as const;

type SectionName = keyof typeof sections;

const showRatios = (title: string, ratios: Readonly<Record<string, Ratio>>): string[] => [
  line(title, ['processor', 'to bare', '10%', '90%']),
  ...Object.entries(ratios).map(([name, { microseconds, ratio, from, to }]) =>
    line(`  ${name}`, [showTime(microseconds), ...[ratio, from, to].map((one) => one.toFixed(2))]),
  ),
  '',
];

export const formatReport = (report: Report): string =>
  [
    line('bundle', ['minified', 'zipped']),
    ...Object.entries(report.bundle).map(([name, { bytes, zipped }]) =>
      line(`  ${name}`, [kilobytes(bytes), kilobytes(zipped)]),
    ),
    '',
    ...Object.entries(sections).flatMap(([name, title]) =>
      showRatios(title, report[name as SectionName]),
    ),
  ].join('\n');

export const legend = `processor: medians; to bare: medians of the ratios within a round, and where eight of ten rounds lie
bare again: the same bundle as bare, so that what it differs from 1.00 is noise
with its call: DynamoDB's answer is replayed over HTTP; handler alone: what is stored is there at once
`;

import { InvalidArgumentError, Option } from 'commander';
import type { ListedVersion } from '../../../shared/api/schemas/listed.ts';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { describeSubmitter } from '../../../shared/domain/tokens/describe-actor.ts';
import { formatSeverityCounts } from '../../../shared/domain/vulnerabilities/severity-counts.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { formatLength } from '../../output/relative-time.ts';
import type { Output } from '../../output/terminal.ts';

type Listed = PackageListItem & Partial<ListedVersion>;

/** A column of a list of packages. */
interface Column {
  /** Its heading, if it differs from its name. */
  readonly head?: string;
  /** Whether it needs `view=full`. */
  readonly isFull?: boolean;
  readonly show: (listed: Listed) => unknown;
}

/** A column that shows a relative time at a terminal. */
interface TimeColumn {
  readonly head: string;
  readonly show: (ms: number) => string;
}

const isApproved = ({ license_status }: Listed): boolean =>
  license_status === 'approved' || license_status === null || license_status === undefined;

/** Describes the effective license, and its status unless it is approved. */
const describeLicense = (listed: Listed): string | null => {
  const { effective_license, license_status } = listed;
  // An unreadable upstream license counts before the submitted one.
  if (license_status === 'unreadable' && !effective_license) return license_status;
  const license = effective_license ?? listed.license;
  return license === null || isApproved(listed)
    ? license
    : `${license} (license ${license_status})`;
};

const columns: Readonly<Record<string, Column>> = {
  package: { show: formatPackage },
  name: { show: ({ name }) => name },
  version: { show: ({ version }) => version },
  ecosystem: { show: ({ ecosystem }) => ecosystem },
  status: { show: ({ status }) => status },
  license: { show: describeLicense, isFull: true },
  license_status: { show: ({ license_status }) => license_status, isFull: true },
  scan: { show: ({ scan }) => scan?.status, isFull: true },
  found: { show: ({ scan }) => scan && formatSeverityCounts(scan.severity), isFull: true },
  submitted_at: { show: ({ submitted_at }) => submitted_at, isFull: true },
  submitted_by: {
    head: 'by',
    show: ({ submitted_by = null, submitted_token_label: token_label }) =>
      describeSubmitter({ by: submitted_by, token_label }),
    isFull: true,
  },
  issues: {
    show: ({ issues = [] }) => issues.map(({ code }) => code).join(', ') || null,
    isFull: true,
  },
  expires_at: { show: ({ expires_at }) => expires_at, isFull: true },
};

/** Relative times for a terminal. */
const timeColumns: Readonly<Record<string, TimeColumn>> = {
  submitted_at: { head: 'age', show: (ms) => formatLength(-ms) },
  expires_at: { head: 'expires', show: (ms) => (ms > 0 ? `in ${formatLength(ms)}` : 'now') },
};

const showCell = (name: string, listed: Listed, { isTerminal }: Output): [string, unknown] => {
  const { head = name, show } = columns[name] ?? { show: () => null };
  const value = show(listed) ?? null;
  const time = isTerminal ? timeColumns[name] : undefined;
  if (!time) return [head, value];
  return [time.head, typeof value === 'string' ? time.show(Date.parse(value) - Date.now()) : null];
};

const names = Object.keys(columns);

/** The columns that fit into 80 characters. */
export const defaultColumns: readonly string[] = [
  ...['package', 'status', 'license', 'scan', 'submitted_at', 'submitted_by'],
];

/** The headings of the columns that a narrow terminal leaves out. */
export const droppable: readonly string[] = ['by', 'age', 'submitted_at', 'scan', 'license'];

export const columnsOption = new Option(
  '--columns <names>',
  `the columns of the table, comma-separated: ${names.join(', ')}`,
)
  .argParser((text) => {
    const chosen = text.split(',').map((name) => name.trim());
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown === undefined) return chosen;
    throw new InvalidArgumentError(`There is no column "${unknown}": ${names.join(', ')}.`);
  })
  .default(undefined, defaultColumns.join(','));

/** Returns the cells of a row, by the headings of its columns. */
export const toCells = (listed: object, chosen: readonly string[], output: Output): JsonObject =>
  Object.fromEntries(chosen.map((name) => showCell(name, listed as Listed, output)));

/** Returns whether the columns need the fields of `view=full`. */
export const needsFullView = (chosen: readonly string[]): boolean =>
  chosen.some((name) => columns[name]?.isFull);

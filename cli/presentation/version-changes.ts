import type { VersionChange, VersionChanges } from '../../shared/api/schemas/changes.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { formatLength } from '../output/relative-time.ts';
import type { Output } from '../output/terminal.ts';
import { formatCount, toLabel, toOneLine, wrap } from '../output/text.ts';

/** Signs of the kinds of changes, in the colour of what they mean for a review. */
const signs = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  changed: ['~', 'yellow'],
} as const;

/** Singular names of fields with several entries. The others show their own names. */
const entryNames: Partial<Record<VersionChange['field'], string>> = {
  install_scripts: 'install script',
  dependencies: 'dependency',
  maintainers: 'maintainer',
  plugins: 'plugin',
  distributions: 'distribution',
  platforms: 'platform',
  bin: 'command',
  engines: 'engine',
};

const registryNotes: Record<NonNullable<VersionChange['registry_status']>, string> = {
  approved: 'approved',
  out_of_range: 'approved versions are out of range',
  pending: 'pending',
  rejected: 'rejected',
  not_in_registry: 'not in the registry',
  unknown: 'status in the registry not checked',
};

const formatBytes = (text: string): string => `${formatCount(Number(text))} bytes`;

const formatValue = ({ field }: VersionChange, text: string): string =>
  field === 'size' ? formatBytes(text) : text;

const nameField = (field: VersionChange['field']): string =>
  entryNames[field] ?? toLabel(field).toLowerCase();

/** Formats a change as one sentence, such as `dependency left-pad: ^1.0.0 (not in the registry)`. */
const describeChange = (change: VersionChange): string => {
  const { field, name, before, after, registry_status } = change;
  const values = [before, after]
    .filter((value) => value !== null)
    .map((value) => formatValue(change, value));
  const subject = name === null ? nameField(field) : `${nameField(field)} ${name}`;
  const value = values.length > 0 ? `: ${values.join(' → ')}` : '';
  const note = registry_status === null ? '' : ` (${registryNotes[registry_status]})`;
  return toOneLine(`${subject}${value}${note}`);
};

const formatChange = (change: VersionChange, { style, width }: Output): string[] => {
  const [sign, colour] = signs[change.change];
  const [head = '', ...rest] = wrap(describeChange(change), Math.max(20, width - 2));
  return [`${style(colour, sign)} ${head}`, ...rest.map((line) => `  ${line}`)];
};

const lengthBetween = (from: string, to: string): string =>
  formatLength(Date.parse(to) - Date.parse(from));

/** Describes when the version was published, and how long after the version before it; null if that is unknown. */
const describeAge = ({ published_at, previous }: VersionChanges): string | null => {
  if (published_at === null) return null;
  const after = previous
    ? `, ${lengthBetween(previous.published_at, published_at)} after ${previous.version}`
    : '';
  return toOneLine(`Published ${dropMilliseconds(published_at)}${after}.`);
};

const describeSince = ({ since, since_status }: VersionChanges): string =>
  since === null
    ? 'The registry has no earlier version to compare with.'
    : `Changes since ${since} (${since_status}):`;

const describeRest = ({ since, changes, change_count, unknown }: VersionChanges): string[] => [
  ...(since !== null && change_count === 0 ? ['No change in what is known.'] : []),
  ...(change_count > changes.length
    ? [`and ${formatCount(change_count - changes.length)} more`]
    : []),
  ...(unknown.length > 0
    ? [`Unknown: ${unknown.map((field) => toLabel(field).toLowerCase()).join(', ')}.`]
    : []),
];

/** Formats what changed in a version since an earlier one. Equal fields are left out. */
export const formatChanges = (answer: VersionChanges, output: Output): string[] => {
  const age = describeAge(answer);
  return [
    output.style('bold', toOneLine(formatPackage(answer))),
    ...(age === null ? [] : wrap(age, output.width)),
    ...wrap(toOneLine(describeSince(answer)), output.width),
    ...answer.changes.flatMap((change) => formatChange(change, output)),
    ...describeRest(answer).flatMap((line) => wrap(line, output.width)),
  ];
};

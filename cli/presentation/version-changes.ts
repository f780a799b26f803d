import type {
  StoredChanges,
  VersionChange,
  VersionChanges,
} from '../../shared/api/schemas/changes.ts';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import {
  cautionSince,
  describeChange,
  describeInterval,
  describeSinceStatus,
  describeUnknown,
  listFirstChanges,
  noEarlierVersion,
  noKnownChange,
} from '../../shared/domain/changes/describe-change.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { describeDuration } from '../../shared/util/duration.ts';
import type { Output } from '../output/terminal.ts';
import { formatCount, toOneLine, wrap } from '../output/text.ts';

/** Colours of the signs, by what they mean for a review. */
const colours = new Map<string, Parameters<Output['style']>[0]>([
  ['+', 'green'],
  ['-', 'red'],
  ['~', 'yellow'],
]);

/** Maximum length of names and values in the evidence, in characters. */
const longestInEvidence = 200;

const describePublication = (at: string): string => {
  const ms = Date.now() - Date.parse(at);
  return Number.isNaN(ms)
    ? `first published ${at}`
    : `first published ${at.slice(0, 10)}, ${describeDuration(ms)} ago`;
};

/**
 * Formats a change as its sign and one sentence, such as `+ dependency left-pad: ^1.0.0 (not in the registry; age unknown)`.
 * @param longest the maximum length of names and values in characters
 */
const formatChange = (
  change: VersionChange,
  { style, width }: Output,
  longest: number,
): string[] => {
  const { sign, field, name, values, notes, firstPublishedAt } = describeChange(change);
  const cut = (text: string): string =>
    text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  const subject = name === null ? field : `${field} ${cut(name)}`;
  const value = values.length > 0 ? `: ${values.map(cut).join(' → ')}` : '';
  const published = firstPublishedAt === null ? [] : [describePublication(firstPublishedAt)];
  const noted = [...notes, ...published].join('; ');
  const sentence = toOneLine(`${subject}${value}${noted === '' ? '' : ` (${noted})`}`);
  const [head = '', ...rest] = wrap(sentence, Math.max(20, width - 2));
  const colour = colours.get(sign) ?? 'yellow';
  return [`${style(colour, sign)} ${head}`, ...rest.map((line) => `  ${line}`)];
};

/** Describes when the version was published, and how long after the version before it; null if that is unknown. */
const describeAge = (compared: StoredChanges): string | null => {
  const { published_at, previous } = compared;
  if (published_at === null) return null;
  const interval = describeInterval(compared);
  const after = previous && interval !== null ? `, ${interval} after ${previous.version}` : '';
  return `Published ${dropMilliseconds(published_at)}${after}.`;
};

/** Describes the earlier version. */
const describeSince = ({ since, since_status }: StoredChanges): string =>
  since === null
    ? noEarlierVersion
    : `Changes since ${since} (${describeSinceStatus({ since_status })}):`;

/** Describes what the list of changes does not show. */
const listRemarks = ({ since, since_status, change_count, unknown }: StoredChanges): string[] => {
  if (since === null) return [];
  return [
    ...(change_count === 0 ? [noKnownChange] : []),
    describeUnknown(unknown),
    cautionSince({ since, since_status }),
  ].filter((remark) => remark !== null);
};

interface Shown {
  readonly changes: readonly VersionChange[];
  /** Maximum length of names and values in characters. */
  readonly longest: number;
}

const formatComparison = (
  compared: StoredChanges,
  output: Output,
  { changes, longest }: Shown,
): string[] => {
  const left = compared.change_count - changes.length;
  const wrapLine = (line: string): string[] => wrap(toOneLine(line), output.width);
  return [
    ...[describeAge(compared) ?? [], describeSince(compared)].flat().flatMap(wrapLine),
    ...changes.flatMap((change) => formatChange(change, output, longest)),
    ...(left > 0 ? [`and ${formatCount(left)} more`] : []),
    ...listRemarks(compared).flatMap(wrapLine),
  ];
};

/** Formats what changed in a version since an earlier one. Equal fields are left out. */
export const formatChanges = (answer: VersionChanges, output: Output): string[] => [
  output.style('bold', toOneLine(formatPackage(answer))),
  ...formatComparison(answer, output, {
    changes: answer.changes,
    longest: Number.POSITIVE_INFINITY,
  }),
];

const isCut = ({ name, before, after }: VersionChange): boolean =>
  [name, before, after].some((text) => (text?.length ?? 0) > longestInEvidence);

/**
 * Formats the first changes of a version with shortened values, for the evidence. A version that was decided without a
 * comparison has no lines.
 */
export const formatFirstChanges = (
  { changes: compared, package: { ecosystem, name, version, status } }: VersionEvidence,
  output: Output,
): string[] => {
  if (compared === null) {
    return status === 'pending' ? ['Not compared with an earlier version.'] : [];
  }
  const first = listFirstChanges(compared.changes);
  const isShortened = first.length < compared.changes.length || first.some(isCut);
  const command = `registry diff ${formatPackage({ ecosystem, name, version })}`;
  return [
    ...formatComparison(compared, output, { changes: first, longest: longestInEvidence }),
    ...(isShortened ? wrap(toOneLine(`${command} shows them in full.`), output.width) : []),
  ];
};

/** The outcomes of replays as tables in Markdown. */
import { comparisonCodes } from '../../../shared/domain/changes/change-issues.ts';
import { type Attack, attacks, type FalseAlarm, falseAlarms } from './dataset.ts';
import type { TeamOutcomes } from './judge.ts';
import { notReplayed } from './known-misses.ts';
import type { Defence, VersionOutcome } from './replay-attack.ts';
import type { CleanOutcome, Naming } from './replay-false-alarm.ts';

/** Issues in the changes of a version. */
const changeCodes = comparisonCodes.filter((code) => code !== 'similar_name');
type ChangeCode = (typeof changeCodes)[number];

const unknown = 'not known';
const none = '–';

/** Formats minutes in the unit that a reader compares: `13 min`, `31 h`, `23 d`. */
const formatMinutes = (minutes: number): string => {
  if (minutes === Number.POSITIVE_INFINITY) return 'not stopped';
  if (minutes < 120) return `${Math.ceil(minutes)} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 60 / 24)} d`;
};

const listKnown = (outcomes: readonly VersionOutcome[]): readonly VersionOutcome[] =>
  outcomes.filter(({ version }) => version.isPublicationKnown);

const formatApproval = (outcomes: readonly VersionOutcome[]): string => {
  const known = listKnown(outcomes);
  if (known.length === 0) return unknown;
  return known.some(({ hasGotIn }) => hasGotIn) ? '**yes**' : 'no';
};

const formatLongest = (minutes: readonly (number | undefined)[], absent: string): string => {
  const known = minutes.filter((one) => one !== undefined);
  return known.length === 0 ? absent : formatMinutes(Math.max(...known));
};

const defenceNames: Readonly<Record<Defence, string>> = {
  record: 'record',
  removal: 'removal',
  scan: 'scan',
  deprecation: 'deprecation',
  change: 'change',
  age: 'age',
  nothing: '**nothing**',
};

const formatDefences = (outcomes: readonly VersionOutcome[]): string =>
  [...new Set(outcomes.map(({ stoppedBy }) => defenceNames[stoppedBy]))].sort().join(', ');

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

const attackHead = [
  toRow([
    ...['Attack', 'By rule: sent after 1 h', 'By rule: sent at once', 'Stopped by'],
    ...['By hand: served for', 'after the record', 'after the removal', 'Recalled by'],
  ]),
  toRow(Array.from({ length: 8 }, () => '---')),
];

const formatAttack = ({ id, title }: Attack, outcomes: TeamOutcomes | undefined): string => {
  const name = escapeCell(title);
  if (!outcomes) return toRow([name, `not replayed: ${notReplayed[id]}`, '', '', '', '', '', '']);
  const { submits, follows, trusted } = outcomes;
  const isServed = trusted.some(({ afterPublication }) => !Number.isFinite(afterPublication));
  const measured = isServed ? trusted : listKnown(trusted);
  const served = measured.map(({ afterPublication }) => afterPublication);
  return toRow([
    ...[name, formatApproval(submits), formatApproval(follows), formatDefences(follows)],
    formatLongest(served, unknown),
    formatLongest(
      trusted.map(({ afterRecord }) => afterRecord),
      none,
    ),
    formatLongest(
      trusted.map(({ afterRemoval }) => afterRemoval),
      none,
    ),
    formatDefences(trusted),
  ]);
};

const changeHead = [
  toRow([
    ...['Attack', 'Young dependency', 'Install script', 'Publisher', 'Provenance', 'Repository'],
    'Rules leave it to people',
  ]),
  toRow(Array.from({ length: 7 }, () => '---')),
];

/** Returns what the sources say of each change, by the issue about it; null if they say nothing. */
const listKnownChanges = ({ changes }: Attack): Readonly<Record<ChangeCode, boolean | null>> => ({
  new_dependency_young: changes.new_dependencies && changes.new_dependencies.length > 0,
  install_scripts_added: changes.install_scripts_added,
  publisher_changed: changes.publisher_changed,
  provenance_lost: changes.provenance_lost,
  repository_changed: changes.repository_changed,
});

const formatChange = (isKnown: boolean | null, isRaised: boolean): string => {
  if (isRaised) return '**issue**';
  if (isKnown === null) return unknown;
  return isKnown ? 'unknown age' : none;
};

const formatChanges = (attack: Attack, outcomes: TeamOutcomes): string => {
  const raised = new Set(outcomes.follows.flatMap(({ issues }) => issues));
  const known = listKnownChanges(attack);
  const cells = changeCodes.map((code) => formatChange(known[code], raised.has(code)));
  return toRow([escapeCell(attack.title), ...cells, raised.size > 0 ? 'yes' : none]);
};

const alarmHead = [
  toRow([
    'False alarm',
    'Clean versions',
    'Recalled: named exactly',
    'young in a bare range',
    'old in a bare range',
    'Released',
  ]),
  toRow(Array.from({ length: 6 }, () => '---')),
];

/** Names a false alarm by its package and its record. */
export const nameAlarm = ({ package: name, record, id }: FalseAlarm): string =>
  `${name}, ${record ?? id}`;

const formatAlarm = (alarm: FalseAlarm, outcomes: readonly CleanOutcome[] | undefined): string => {
  const { id } = alarm;
  const title = nameAlarm(alarm);
  if (!outcomes) return toRow([title, `not replayed: ${notReplayed[id]}`, '', '', '', '']);
  const recalled = outcomes.filter(({ isRecalled }) => isRecalled);
  const count = (naming: Naming): string =>
    `${recalled.filter((one) => one.naming === naming).length}`;
  return toRow([
    ...[title, `${outcomes.length}`, count('exact'), count('young in a bare range')],
    ...[count('old in a bare range'), `${recalled.filter(({ isReleased }) => isReleased).length}`],
  ]);
};

/** Outcomes by the ids of attacks and false alarms. Absent ones were not replayed. */
export interface ReplayOutcomes {
  readonly attacks: ReadonlyMap<string, TeamOutcomes>;
  readonly falseAlarms: ReadonlyMap<string, readonly CleanOutcome[]>;
}

/** Returns the table of attacks below its head line. */
export const formatAttackTable = ({ attacks: outcomes }: ReplayOutcomes): string =>
  [
    `${outcomes.size} of ${attacks.length} replayed`,
    '',
    ...attackHead,
    ...attacks.map((one) => formatAttack(one, outcomes.get(one.id))),
  ].join('\n');

/** Returns the table of issues in what the replayed attacks changed, below its head line. */
export const formatChangeTable = ({ attacks: outcomes }: ReplayOutcomes): string =>
  [
    ...changeHead,
    ...attacks.flatMap((one) => {
      const found = outcomes.get(one.id);
      return found ? [formatChanges(one, found)] : [];
    }),
  ].join('\n');

/** Returns the table of false alarms below its head line. */
export const formatAlarmTable = ({ falseAlarms: outcomes }: ReplayOutcomes): string =>
  [
    `${outcomes.size} of ${falseAlarms.length} replayed`,
    '',
    ...alarmHead,
    ...falseAlarms.map((one) => formatAlarm(one, outcomes.get(one.id))),
  ].join('\n');

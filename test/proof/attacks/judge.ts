/** Compares the outcomes of replays with what the registry promises. */
import { dayMs, hourMs, type PlannedAttack } from './dataset.ts';
import { knownMisses } from './known-misses.ts';
import type { Team, VersionOutcome } from './replay-attack.ts';
import type { CleanOutcome } from './replay-false-alarm.ts';

export type TeamOutcomes = Readonly<Record<Team, readonly VersionOutcome[]>>;

/** Minutes after which a new request gets a recalled version no more. */
const limits = { record: 5, removalYoung: 20, removal: 70 } as const;

const weekMs = 7 * dayMs;
const youngMs = 72 * hourMs;

/** Returns how long nothing public warned of a version, in milliseconds; undefined if it is not known. */
const findExposure = (
  { records }: PlannedAttack,
  { version }: Pick<VersionOutcome, 'version'>,
): number | undefined => {
  const { name, publishedAt, isPublicationKnown, removedAt, deprecatedAt } = version;
  const imports = records.filter((one) => one.name === name).map((one) => one.importedAt);
  const ends = [removedAt, deprecatedAt, ...imports].filter((at) => at !== undefined);
  return isPublicationKnown && ends.length > 0 ? Math.min(...ends) - publishedAt : undefined;
};

const judgeApproval = (plan: PlannedAttack, team: Team, outcome: VersionOutcome): string[] => {
  const exposure = findExposure(plan, outcome);
  if (!outcome.hasGotIn || exposure === undefined || exposure >= weekMs) return [];
  return [`a rule approved it for the team that ${team}`];
};

const judgeRecall = ({ version, afterRecord = 0, afterRemoval = 0 }: VersionOutcome): string[] => {
  const age = (version.removedAt ?? 0) - version.publishedAt;
  const removalLimit = age < youngMs ? limits.removalYoung : limits.removal;
  return [
    ...(afterRecord > limits.record ? [`served ${afterRecord} minutes after the record`] : []),
    ...(afterRemoval > removalLimit ? [`served ${afterRemoval} minutes after the removal`] : []),
  ];
};

/** Returns the changes of an attack that raised no issue, though the sources state them. */
const judgeIssues = ({ attack }: PlannedAttack, { follows }: TeamOutcomes): string[] => {
  const raised = new Set(follows.flatMap(({ issues }) => issues));
  const { changes } = attack;
  const dated = changes.new_dependencies?.some((one) => one.first_published_at !== null);
  const expected = [
    ...(dated ? (['new_dependency_young'] as const) : []),
    ...(changes.install_scripts_added ? (['install_scripts_added'] as const) : []),
    ...(changes.publisher_changed ? (['publisher_changed'] as const) : []),
    ...(changes.provenance_lost ? (['provenance_lost'] as const) : []),
  ];
  return expected.filter((code) => !raised.has(code)).map((code) => `${attack.id}: no ${code}`);
};

/** True if a rule approved a version, or if a version is served at the end. */
const isMissed = ({ submits, follows, trusted }: TeamOutcomes): boolean =>
  [...submits, ...follows].some(({ hasGotIn }) => hasGotIn) ||
  trusted.some(({ stoppedBy }) => stoppedBy === 'nothing');

/** Returns what does not hold for an attack. */
export const judgeAttack = (plan: PlannedAttack, outcomes: TeamOutcomes): string[] => {
  const { id } = plan.attack;
  const isKnown = knownMisses[id] !== undefined;
  const name = (outcome: VersionOutcome) =>
    `${id}: ${outcome.version.name}@${outcome.version.version}`;
  const rules = (['submits', 'follows'] as const).flatMap((team) =>
    outcomes[team].flatMap((one) =>
      judgeApproval(plan, team, one).map((what) => `${name(one)}: ${what}`),
    ),
  );
  const recalls = outcomes.trusted.flatMap((one) =>
    judgeRecall(one).map((what) => `${name(one)}: ${what}`),
  );
  return [
    ...rules,
    ...judgeIssues(plan, outcomes),
    ...(isKnown ? [] : recalls),
    ...(isMissed(outcomes) && !isKnown ? [`${id}: not stopped, and no known miss`] : []),
    ...(!isMissed(outcomes) && isKnown ? [`${id}: a known miss, but stopped`] : []),
  ];
};

/** Returns what does not hold for a false alarm. */
export const judgeFalseAlarm = (id: string, outcomes: readonly CleanOutcome[]): string[] =>
  outcomes.flatMap(({ version, naming, isRecalled, isReleased }) => {
    const mayRecall = naming === 'exact' || naming === 'young in a bare range';
    return [
      ...(isRecalled && !mayRecall ? [`${id}: ${version} (${naming}) was recalled`] : []),
      ...(isRecalled && !isReleased ? [`${id}: ${version} was not released`] : []),
    ];
  });

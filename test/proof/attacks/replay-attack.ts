/** Replays an attack for each kind of team. */
import type { ComparisonCode } from '../../../shared/domain/changes/change-issues.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { ScanSource } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import {
  type Attack,
  dayMs,
  hourMs,
  minuteMs,
  type PlannedAttack,
  type PlannedVersion,
  toMs,
} from './dataset.ts';
import { toListedAt, type WorldRelease, type WorldVersion } from './fake-world.ts';
import { type ReplayStep, runReplay } from './run-replay.ts';
import { readClock, setClock } from './simulated-clock.ts';
import type { ReplayRig, SimulatedRegistry } from './simulated-registry.ts';

/**
 * Kinds of teams: `submits` sends each version an hour after its publication, `follows` does it at once, and `trusted` approved
 * the malicious version by hand an hour after its publication.
 */
export type Team = 'submits' | 'follows' | 'trusted';

/** What stopped a version, or `nothing`. */
export type Defence = 'record' | 'removal' | 'scan' | 'deprecation' | 'change' | 'age' | 'nothing';

/** Minutes in which a version was served; infinite if it was served at the end of the replay. */
interface ServedMinutes {
  readonly afterPublication: number;
  /** Absent: the export never has a record. */
  readonly afterRecord?: number;
  /** Absent: the version is never removed in the replay. */
  readonly afterRemoval?: number;
}

export interface VersionOutcome extends ServedMinutes {
  readonly version: PlannedVersion;
  readonly hasGotIn: boolean;
  readonly stoppedBy: Defence;
  /** Issues in what the version changed, as the reviewer saw them a few minutes after its submission. */
  readonly issues: readonly ComparisonCode[];
}

const waits: Readonly<Record<Team, number>> = {
  submits: hourMs,
  follows: 15 * minuteMs,
  trusted: 15 * minuteMs,
};

const approvalMs = hourMs;
const ageMs = 7 * dayMs;
/** Time after the last event in which everything has an effect. */
const tailMs = 3 * hourMs;
/** Age of the last good version. It has no effect on what is measured. */
const assumedAgeOfOthersMs = 300 * dayMs;

interface Interval {
  readonly from: number;
  to: number;
}

/** Notes when the dependency firewall served each version. */
const watchVersions = (registry: SimulatedRegistry, versions: readonly PlannedVersion[]) => {
  const served = new Map(versions.map((one) => [one, [] as Interval[]]));
  return {
    look: async (): Promise<void> => {
      for (const [{ name, version }, intervals] of served) {
        const isServed = await registry.isServed(name, version);
        const open = intervals.findLast(({ to }) => to === Number.POSITIVE_INFINITY);
        if (isServed && !open) {
          intervals.push({ from: readClock(), to: Number.POSITIVE_INFINITY });
        } else if (!isServed && open) open.to = readClock();
      }
    },
    minutesAfter: (version: PlannedVersion, at: number): number =>
      (served.get(version) ?? [])
        .map(({ from, to }) => Math.max(0, to - Math.max(from, at)) / minuteMs)
        .reduce((sum, minutes) => sum + minutes, 0),
  };
};

type NamedVersion = Pick<PlannedVersion, 'name' | 'version'>;

const packagePath = ({ name, version }: NamedVersion, action: string): string =>
  `/api/v1/packages/${encodeURIComponent(name)}${action}?version=${encodeURIComponent(version)}`;

/** Expects success. */
const send = async (
  registry: SimulatedRegistry,
  method: string,
  path: string,
  body: object,
): Promise<void> => {
  const answer = await registry.send(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
};

export const approveLicense = (registry: SimulatedRegistry): Promise<void> =>
  send(registry, 'PUT', '/api/v1/licenses/MIT', { status: 'approved' });

export const submit = (
  registry: SimulatedRegistry,
  ecosystem: string,
  { name, version }: NamedVersion,
): Promise<void> => send(registry, 'POST', '/api/v1/packages', { ecosystem, name, version });

export const approveByHand = (registry: SimulatedRegistry, version: NamedVersion) =>
  send(registry, 'POST', packagePath(version, '/approve'), {
    ...{ override: true, reason: 'Needed today' },
    approved_by: 'ana',
  });

/** Returns when the export has a record of malware for a version; undefined if it never has one. */
const findRecord = ({ records }: PlannedAttack, { name }: PlannedVersion): number | undefined => {
  const own = records.filter((one) => one.name === name && one.id.startsWith('MAL-'));
  const times = own.map((one) => one.importedAt);
  return times.length === 0 ? undefined : toListedAt(Math.min(...times));
};

const hasFindings = ({ finished }: ScanSource): boolean =>
  Object.values(finished?.severity ?? {}).some((count) => count > 0);

/** Returns what stopped a version, by its state at the end. */
const findDefence = async (id: PackageId): Promise<Defence> => {
  const { status, recall, sources, facts } = await readReviewState(id);
  if (status === 'approved') return 'nothing';
  // A record that is noted later takes the place of a removal, but the history keeps what stopped the version.
  const recalled = (await listRecords(id, { count: 10 })).find(
    ({ type }) => type === 'package.recalled',
  );
  if (recall && recalled) return recalled.recall?.startsWith('MAL-') ? 'record' : 'removal';
  if (sources.some(({ finished }) => (finished?.malware.length ?? 0) > 0)) return 'record';
  if (facts?.found === 'no') return 'removal';
  if (facts?.deprecated !== null) return 'deprecation';
  if (sources.some(hasFindings)) return 'scan';
  return (facts.comparison?.issues.length ?? 0) > 0 ? 'change' : 'age';
};

const toSteps = (
  registry: SimulatedRegistry,
  plan: PlannedAttack,
  team: Team,
): { readonly steps: ReplayStep[]; readonly events: number[] } => {
  const { versions, attack } = plan;
  const steps = versions.flatMap((version): ReplayStep[] => {
    const { publishedAt } = version;
    const enter = {
      at: publishedAt + waits[team],
      act: () => submit(registry, attack.ecosystem, version),
    };
    if (team !== 'trusted') return [enter];
    const approve = { at: publishedAt + approvalMs, act: () => approveByHand(registry, version) };
    return [enter, approve];
  });
  const events = versions.flatMap((version) => [
    ...[version.removedAt ?? [], version.deprecatedAt ?? [], findRecord(plan, version) ?? []],
    ...(team === 'trusted' ? [] : [version.publishedAt + ageMs]),
  ]);
  return { steps, events: events.flat() };
};

/** Publishes the last good version as the sources say what a malicious one changed. */
const makeGoodRelease = ({ changes }: Attack): WorldRelease => ({
  publisher: 'maintainer',
  hasProvenance: changes.provenance_lost === true,
  dependencies: [],
  hasInstallScript: false,
});

/** Publishes a malicious version. A new dependency changes only what the sources say of it. */
const makeMaliciousRelease = ({ changes }: Attack, name: string): WorldRelease => {
  const added = changes.new_dependencies ?? [];
  const isDependency = added.some((one) => one.name === name);
  return {
    publisher: changes.publisher_changed === true ? 'stranger' : 'maintainer',
    hasProvenance: false,
    dependencies: isDependency ? [] : added.map((one) => one.name),
    hasInstallScript: isDependency
      ? changes.install_script_in_new_dependency === true
      : changes.install_scripts_added === true,
  };
};

const toWorldVersions = ({ attack, versions }: PlannedAttack): WorldVersion[] => {
  const start = Math.min(...versions.map(({ publishedAt }) => publishedAt));
  const good = attack.packages.filter(({ last_good }) => last_good !== null);
  const added = attack.changes.new_dependencies ?? [];
  const others = good.map(({ name, last_good }) => {
    const first = added.find((one) => one.name === name)?.first_published_at;
    return {
      ...{ name, version: last_good?.version ?? '0.0.1', release: makeGoodRelease(attack) },
      publishedAt: toMs(first) ?? start - assumedAgeOfOthersMs,
    };
  });
  return [
    ...others,
    ...versions.map((one) => ({ ...one, release: makeMaliciousRelease(attack, one.name) })),
  ];
};

/** Replays an attack for one team. Resolves to the outcome of each version. */
export const replayAttack = async (
  rig: ReplayRig,
  plan: PlannedAttack,
  team: Team,
): Promise<VersionOutcome[]> => {
  const { attack, versions, records } = plan;
  const start = Math.min(...versions.map(({ publishedAt }) => publishedAt));
  setClock(start);
  rig.world.content = { ecosystem: attack.ecosystem, versions: toWorldVersions(plan), records };
  const registry = await rig.startRegistry();
  try {
    await approveLicense(registry);
    const { steps, events } = toSteps(registry, plan, team);
    const moments = [...steps, ...events.map((at) => ({ at }))];
    const end = Math.max(...moments.map(({ at }) => at)) + tailMs;
    const watch = watchVersions(registry, versions);
    const defences = new Map<PlannedVersion, Defence>();
    const noteDefence = (version: PlannedVersion) => async (): Promise<void> => {
      const { name, version: number } = version;
      const id = { ecosystem: attack.ecosystem, name, version: number };
      defences.set(version, await findDefence(id));
    };
    const issues = new Map<PlannedVersion, readonly ComparisonCode[]>();
    const noteIssues = (version: PlannedVersion) => async (): Promise<void> => {
      const { name, version: number } = version;
      const id = { ecosystem: attack.ecosystem, name, version: number };
      const { facts } = await readReviewState(id);
      issues.set(version, facts?.comparison?.issues.map(({ code }) => code) ?? []);
    };
    const looks = versions.map((version) => ({
      at: version.publishedAt + waits[team] + 10 * minuteMs,
      act: noteIssues(version),
    }));
    // Rules decide at the minimum age. What a person let in is stopped by the end.
    const notes = versions.map((version) => ({
      at: team === 'trusted' ? end : version.publishedAt + ageMs + hourMs,
      act: noteDefence(version),
    }));
    await runReplay(
      registry,
      [{ at: start }, ...moments, ...looks, ...notes, { at: end, act: watch.look }],
      watch.look,
    );
    const outcomes: VersionOutcome[] = [];
    for (const version of versions) {
      const { publishedAt, removedAt } = version;
      const listedAt = findRecord(plan, version);
      const afterPublication = watch.minutesAfter(version, publishedAt);
      outcomes.push({
        version,
        hasGotIn: afterPublication > 0,
        afterPublication,
        ...(listedAt !== undefined && { afterRecord: watch.minutesAfter(version, listedAt) }),
        ...(removedAt !== undefined && { afterRemoval: watch.minutesAfter(version, removedAt) }),
        stoppedBy: defences.get(version) ?? 'nothing',
        issues: issues.get(version) ?? [],
      });
    }
    return outcomes;
  } finally {
    await registry.close();
    setClock(undefined);
  }
};

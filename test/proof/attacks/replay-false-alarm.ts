/** Replays a wrong record of the feed, for clean versions that were approved before. */
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import {
  anyVersion,
  dayMs,
  type FalseAlarm,
  hourMs,
  minuteMs,
  type PlannedRecord,
  toMs,
} from './dataset.ts';
import { toListedAt, type WorldVersion } from './fake-world.ts';
import { approveByHand, approveLicense, submit } from './replay-attack.ts';
import { runReplay } from './run-replay.ts';
import { setClock } from './simulated-clock.ts';
import type { ReplayRig, SimulatedRegistry } from './simulated-registry.ts';

/** How a record names a clean version. A version in a bare range is young up to 14 days before the record. */
export type Naming = 'exact' | 'young in a bare range' | 'old in a bare range' | 'not named';

export interface CleanOutcome {
  readonly version: string;
  readonly naming: Naming;
  readonly isRecalled: boolean;
  readonly isReleased: boolean;
}

/** A false alarm with the times of its replay. */
export interface PlannedAlarm {
  readonly alarm: FalseAlarm;
  readonly versions: readonly (WorldVersion & { readonly naming: Naming })[];
  readonly records: readonly PlannedRecord[];
  readonly listedAt: number;
  /** When the feed has the record withdrawn or corrected; undefined if the record was right. */
  readonly endsAt: number | undefined;
}

const youngMs = 14 * dayMs;

const isBare = ({ introduced, ...end }: { readonly introduced: string }): boolean =>
  introduced === '0' && Object.keys(end).length === 0;

const findNaming = (
  { versions, ranges }: FalseAlarm,
  { version, publishedAt }: Pick<WorldVersion, 'version' | 'publishedAt'>,
  importedAt: number,
): Naming => {
  if (versions?.includes(version)) return 'exact';
  if (!ranges?.some(isBare)) return 'not named';
  const isYoung = publishedAt !== undefined && importedAt - publishedAt <= youngMs;
  return isYoung ? 'young in a bare range' : 'old in a bare range';
};

/** Returns the times of a replay; undefined if it is no record of the feed, or no source gives its time. */
export const planFalseAlarm = (alarm: FalseAlarm): PlannedAlarm | undefined => {
  const { package: name, record: id, withdrawn_in_feed, corrected_not_before } = alarm;
  const importedAt = toMs(alarm.first_import_time ?? alarm.published_at);
  if (id === null || importedAt === undefined) return undefined;
  const named = alarm.clean_versions.flatMap(({ version, published_at }) =>
    version === null ? [] : [{ version, publishedAt: toMs(published_at) }],
  );
  const versions = [...named, { version: anyVersion, publishedAt: undefined }].map((one) => ({
    ...{ ...one, name, isUndated: one.publishedAt === undefined },
    naming: findNaming(alarm, one, importedAt),
  }));
  const endedAt = toMs(withdrawn_in_feed ?? corrected_not_before);
  const wrong = { id, name, importedAt, withdrawn: false };
  const listed = alarm.versions ?? [];
  const ranges = alarm.ranges ?? [];
  const clean = new Set(named.map(({ version }) => version));
  const right = {
    ...{ id, name, importedAt: endedAt ?? importedAt, withdrawn: withdrawn_in_feed !== null },
    versions: withdrawn_in_feed ? listed : listed.filter((version) => !clean.has(version)),
    ranges: withdrawn_in_feed ? ranges : ranges.filter((range) => !isBare(range)),
  };
  return {
    ...{ alarm, versions, listedAt: toListedAt(importedAt) },
    records: [{ ...wrong, versions: listed, ranges }, ...(endedAt === undefined ? [] : [right])],
    endsAt: endedAt === undefined ? undefined : toListedAt(endedAt),
  };
};

const leadMs = 2 * hourMs;
/** Time after a change of the feed in which it has its effect. */
const effectMs = 10 * minuteMs;

/** Resolves to the versions that a new request gets. */
const listServed = async (
  registry: SimulatedRegistry,
  versions: readonly WorldVersion[],
): Promise<Set<WorldVersion>> => {
  const served = new Set<WorldVersion>();
  for (const one of versions) {
    if (await registry.isServed(one.name, one.version)) served.add(one);
  }
  return served;
};

const toName = ({ name, version }: WorldVersion) => ({ name, version });

/** True if the approval in force is the one before the recall. */
const isApproved = async (id: PackageId): Promise<boolean> => {
  const { status, recall } = await readReviewState(id);
  return status === 'approved' && !recall;
};

/** Replays a false alarm. Resolves to the outcome of each clean version. */
export const replayFalseAlarm = async (
  rig: ReplayRig,
  { alarm, versions, records, listedAt, endsAt }: PlannedAlarm,
): Promise<CleanOutcome[]> => {
  const start = listedAt - leadMs;
  const { ecosystem } = alarm;
  setClock(start);
  rig.world.content = { ecosystem, versions, records };
  const registry = await rig.startRegistry();
  try {
    await approveLicense(registry);
    for (const one of versions) await submit(registry, ecosystem, one);
    let served = new Set<WorldVersion>();
    const end = endsAt ?? listedAt;
    await runReplay(
      registry,
      [
        { at: start },
        {
          at: start + hourMs,
          act: async () => {
            for (const one of versions) {
              // A rule approves those that are old enough.
              const { status } = await readReviewState({ ecosystem, ...toName(one) });
              if (status === 'pending') await approveByHand(registry, one);
            }
          },
        },
        { at: listedAt },
        {
          at: listedAt + effectMs,
          act: async () => {
            served = await listServed(registry, versions);
          },
        },
        { at: end },
        { at: Math.max(end, listedAt) + 2 * effectMs },
      ],
      async () => undefined,
    );
    const later = await listServed(registry, versions);
    const outcomes: CleanOutcome[] = [];
    for (const one of versions) {
      const { version, naming } = one;
      const isRecalled = !served.has(one);
      const isBack = later.has(one) && (await isApproved({ ecosystem, ...toName(one) }));
      outcomes.push({ version, naming, isRecalled, isReleased: isRecalled && isBack });
    }
    return outcomes;
  } finally {
    await registry.close();
    setClock(undefined);
  }
};

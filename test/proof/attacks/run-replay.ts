/** Runs the workers of a registry at the times at which they would run, and the steps of a team in between. */
import { recalledEcosystems } from '../../../shared/domain/recalls/recall.ts';
import { dueKinds } from '../../../shared/domain/review/due-kind.ts';
import { listDue } from '../../../shared/storage/reviews/due.ts';
import { listDueRefreshes } from '../../../shared/storage/reviews/due-refreshes.ts';
import { dayMs, minuteMs } from './dataset.ts';
import { setClock } from './simulated-clock.ts';
import type { SimulatedRegistry } from './simulated-registry.ts';

/** Something that happens at a time, in milliseconds since 1970: a step of a team, or a change of the world. */
export interface ReplayStep {
  readonly at: number;
  readonly act?: () => Promise<void>;
}

const far = new Date('2999-01-01T00:00:00Z');

/** Hours around a step in which every look at an origin is replayed. Others would find the same as the one before. */
const nearMs = 75 * minuteMs;

const recallMs = 2 * minuteMs;

const ceil = (ms: number, unit: number): number => Math.ceil(ms / unit) * unit;

/** The first due work, and the first due look at an origin; infinite without any. */
const findDue = async (): Promise<{ readonly work: number; readonly looks: number }> => {
  const stretch = { after: '', until: far.toISOString() };
  const work = await Promise.all(dueKinds.map((kind) => listDue(kind, stretch, 1)));
  const looks = await Promise.all(
    recalledEcosystems.map((one) => listDueRefreshes(one, { until: far.toISOString() }, 1)),
  );
  const first = (times: readonly string[]): number => Math.min(...times.map(Date.parse));
  return {
    work: first(work.flat().map(({ due_at }) => due_at)),
    looks: first(looks.flatMap(({ due }) => due).map(({ refresh_at }) => refresh_at)),
  };
};

/** Returns when a due look happens: at its time near a step, and else shortly before the next step. */
const chooseLook = (due: number, steps: readonly ReplayStep[]): number => {
  const isNear = steps.some(({ at }) => Math.abs(due - at) <= nearMs);
  if (isNear) return due;
  const next = Math.min(...steps.filter(({ at }) => at > due).map(({ at }) => at));
  return next - nearMs;
};

/** Returns when the next scan of approved versions happens that has something to find: the first one after a step. */
const chooseRescan = (last: number, steps: readonly ReplayStep[]): number => {
  const next = Math.min(...steps.filter(({ at }) => at >= last).map(({ at }) => at));
  return last + Math.max(1, Math.ceil((next - last) / dayMs)) * dayMs;
};

/**
 * Runs the steps in their order, and each worker when it has something to do: due work in the next minute, recalls every 2
 * minutes, and scans of approved versions at the same time of each day. `onDecision` runs after each change of a status. Hours in which neither
 * the origin nor the feed changes are skipped.
 */
export const runReplay = async (
  registry: SimulatedRegistry,
  given: readonly ReplayStep[],
  onDecision: () => Promise<void>,
): Promise<void> => {
  const steps = given.toSorted((one, other) => one.at - other.at);
  const waiting = [...steps];
  const end = steps.at(-1)?.at ?? 0;
  let rescanAt = steps[0]?.at ?? 0;
  let recallAt = ceil(rescanAt, recallMs);

  let lastTick = Number.NEGATIVE_INFINITY;

  const settle = async (): Promise<void> => {
    if (await registry.settle()) await onDecision();
  };

  const runWorkers = async (now: number, isDue: boolean): Promise<void> => {
    if (isDue) await registry.invoke('run-due-work');
    await settle();
    if (now >= rescanAt) {
      await registry.invoke('rescan-packages');
      rescanAt = chooseRescan(rescanAt, steps);
    }
    if (now >= recallAt) {
      await registry.invoke('recall-packages');
      recallAt = Number.POSITIVE_INFINITY;
    }
    await settle();
  };

  let due = await findDue();
  let knownWrites = registry.writes();
  while (lastTick < end) {
    if (registry.writes() !== knownWrites) {
      knownWrites = registry.writes();
      due = await findDue();
    }
    const dueAt = ceil(Math.min(due.work, chooseLook(due.looks, steps)), minuteMs);
    const workAt = Math.max(dueAt, ceil(lastTick + 1, minuteMs));
    const now = Math.min(waiting[0]?.at ?? end, workAt, rescanAt, recallAt);
    setClock(now);
    const isRecallOnly = now < Math.min(waiting[0]?.at ?? end, workAt, rescanAt);
    while (waiting[0] && waiting[0].at <= now) {
      await waiting.shift()?.act?.();
      await settle();
    }
    await runWorkers(now, workAt <= now);
    // A recall without news does nothing, so that only those after a change are replayed.
    if (!isRecallOnly) recallAt = Math.min(recallAt, ceil(now + 1, recallMs));
    lastTick = now;
  }
};

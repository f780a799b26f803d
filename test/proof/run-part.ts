/** Runs one part until its time is over, its count is reached, or a violation occurs. */
import { type ProgressBar, startProgressBar } from '../bench/progress-bar.ts';
import { replayAll } from './attacks/replay-all.ts';
import { runHistory } from './histories/run-history.ts';
import { startKilling } from './histories/run-killed-histories.ts';
import { hireHostile } from './hostile/hostile-crew.ts';
import { startHostileSockets } from './hostile/run-hostile.ts';
import type { Options, Part, Plant } from './options.ts';
import { addBefallen, type PartReport, startTally, type Tally, type Violation } from './report.ts';

/** The input of a part, and its duration. */
export interface PartOrder extends Pick<Options, 'seed'> {
  readonly count?: number | undefined;
  readonly plant?: Plant | undefined;
  /** The cloud assembly of the stack. */
  readonly assembly: string;
  readonly seconds: number;
}

interface Running {
  readonly order: PartOrder;
  readonly tally: Tally;
  readonly progress: ProgressBar;
  /** Adds tables to the report. */
  readonly print: (tables: string) => void;
}

/** Runs one after the other. The seed of each depends on its position. */
const repeat = async (
  { order, progress }: Running,
  runOne: (seed: number) => Promise<readonly Violation[]>,
): Promise<readonly Violation[]> => {
  const { seed, seconds, count } = order;
  const began = performance.now();
  for (let done = 0; ; ) {
    const violations = await runOne(seed + done);
    done += 1;
    const share = count === undefined ? (performance.now() - began) / seconds / 1000 : done / count;
    progress.update(Math.min(1, share));
    if (violations.length > 0 || share >= 1) return violations;
  }
};

const blame = (violations: readonly string[], again: string): Violation[] =>
  violations.map((what) => ({ what, again }));

const runHistories = (running: Running): Promise<readonly Violation[]> => {
  const { order, tally } = running;
  const { assembly, plant } = order;
  return repeat(running, async (seed) => {
    const { violations, requests, befallen } = await runHistory({ seed, assembly, plant });
    tally.histories += 1;
    tally.requests += requests;
    addBefallen(tally, befallen);
    const planted = plant === undefined ? '' : ` --plant ${plant}`;
    return blame(violations, `--only histories --seed ${seed} --count 1${planted}`);
  });
};

const runKills = async (running: Running): Promise<readonly Violation[]> => {
  const { order, tally } = running;
  const { seed: firstSeed, assembly } = order;
  const killing = await startKilling(assembly, firstSeed);
  try {
    const violations = await repeat(running, async (seed) => {
      const history = await killing.runHistory(seed);
      tally.histories += 1;
      tally.requests += history.requests;
      tally.kills += history.kills;
      return blame(history.violations, `--only kills --seed ${seed} --count 1`);
    });
    addBefallen(tally, killing.befallen);
    if (violations.length > 0) return violations;
    const again = `--only kills --seed ${firstSeed} --count ${tally.histories}`;
    return blame(await killing.settle(), again);
  } finally {
    await killing.close();
  }
};

/** The number of requests to one registry, before a new one starts. */
const requestsOfOne = 2000;

/** Runs in separate processes, until the time is over or the count is reached. */
const runHostilePart = async ({ order, tally, progress }: Running): Promise<Violation[]> => {
  const { seed, seconds, count, assembly } = order;
  const began = performance.now();
  const violations: Violation[] = [];
  let asked = 0;
  let at = 0;
  const share = (done: number): number =>
    count === undefined ? (performance.now() - began) / seconds / 1000 : done / count;
  const crew = hireHostile();
  try {
    await crew.work(
      () => {
        if (violations.length > 0 || share(asked) >= 1) return undefined;
        const requests = Math.min(requestsOfOne, (count ?? Number.POSITIVE_INFINITY) - asked);
        asked += requests;
        at += 1;
        return { assembly, seed: seed + at - 1, requests };
      },
      (done, wrong) => {
        tally.requests += done.requests;
        progress.update(Math.min(1, share(tally.requests)));
        const again = `--only hostile --seed ${done.seed} --count ${done.requests}`;
        violations.push(...blame(wrong, again));
      },
    );
    return violations;
  } finally {
    crew.end();
  }
};

const requestsATime = 250;

const runSockets = async (running: Running): Promise<readonly Violation[]> => {
  const { order, tally } = running;
  const { assembly, count } = order;
  const sockets = await startHostileSockets(assembly, order.seed);
  const requests = Math.min(requestsATime, count ?? requestsATime);
  const times = count === undefined ? undefined : Math.ceil(count / requests);
  const repeated = { ...running, order: { ...order, count: times } };
  try {
    return await repeat(repeated, async (seed) => {
      const wrong = await sockets.check({ seed, requests });
      tally.requests += requests;
      return blame(wrong, `--only sockets --seed ${seed} --count ${requests}`);
    });
  } finally {
    await sockets.close();
  }
};

/** Replays all attacks, which takes as long as it takes. */
const runAttacks = async ({ order, progress, print }: Running): Promise<Violation[]> => {
  const report = await replayAll(order.assembly, progress.update);
  const { attackTable, changeTable, alarmTable, violations } = report;
  print(`${attackTable}\n\n${changeTable}\n\n${alarmTable}`);
  return blame(violations, '--only attacks');
};

const runners: Readonly<Record<Part, (running: Running) => Promise<readonly Violation[]>>> = {
  histories: runHistories,
  kills: runKills,
  hostile: runHostilePart,
  sockets: runSockets,
  attacks: runAttacks,
};

export const runPart = async (part: Part, order: PartOrder): Promise<PartReport> => {
  const progress = startProgressBar(part.padEnd(9));
  const tally = startTally();
  const began = performance.now();
  let tables: string | undefined;
  const print = (text: string): void => {
    tables = text;
  };
  const violations = await runners[part]({ order, tally, progress, print });
  progress.finish();
  const seconds = (performance.now() - began) / 1000;
  return { part, tally, violations, seconds, ...(tables !== undefined && { tables }) };
};

/** Runs and checks one history in its own registry. */

import type { Plant } from '../options.ts';
import { captureLog } from '../rig/captured-log.ts';
import { chooseShares, drawFault, type Fault } from '../rig/faults.ts';
import { plants } from '../rig/plants.ts';
import { startOwnRegistry } from '../rig/registry-in-process.ts';
import { createPart } from '../rig/seeds.ts';
import { canary, tokens } from '../rig/tokens.ts';
import { judgeHistory } from './judge.ts';
import { startHistory } from './make-history.ts';

export interface HistoryRun {
  readonly seed: number;
  /** The cloud assembly of the stack. */
  readonly assembly: string;
  /** A planted bug. */
  readonly plant?: Plant | undefined;
  readonly stepsOfEach?: number;
}

export interface HistoryVerdict {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly befallen: ReadonlyMap<Fault, number>;
}

/** A short timeout, so that a function with faults in every call gives up soon. */
const functionMs = 8000;

/** A seed repeats the clients' requests and the faults of their calls. The interleaving depends on the machine. */
export const runHistory = async ({
  seed,
  assembly,
  plant,
  stepsOfEach,
}: HistoryRun): Promise<HistoryVerdict> => {
  const log = captureLog(canary);
  const registry = await startOwnRegistry({ assembly, functionMs });
  let requests = 0;
  try {
    const { proxy } = registry;
    const send: typeof registry.send = (ask) => {
      requests += 1;
      return registry.send(ask);
    };
    const history = startHistory({ seed, send, token: tokens.all, stepsOfEach });
    const shares = chooseShares(createPart(seed, 'shares'));
    proxy.disturb({
      choose: ({ step }) =>
        step === undefined ? undefined : drawFault(createPart(seed, `call ${step}`), shares),
      ...(plant && { tamper: plants[plant]() }),
    });
    await history.run();
    proxy.disturb({});
    await history.look();
    const random = createPart(seed, 'judge');
    const violations = await judgeHistory(history.record, history.versions, { random, send });
    const leaks = log.leaks.map((line) => `a token is in the log: ${line}`);
    return { violations: [...violations, ...leaks], requests, befallen: proxy.befallen };
  } finally {
    await registry.close();
    log.end();
  }
};

/** One history in a registry of its own, from its beginning to its verdict. */

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
  /** A bug of the rig's own. */
  readonly plant?: Plant | undefined;
  readonly stepsOfEach?: number;
}

export interface HistoryVerdict {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly befallen: ReadonlyMap<Fault, number>;
}

/** So that a function that meets with nothing but faults gives up soon. */
const functionMs = 8000;

/** The same seed has clients do the same, and the same befall their calls; how they meet is up to the machine. */
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
    const leaks = log.told.map((line) => `a token is in the log: ${line}`);
    return { violations: [...violations, ...leaks], requests, befallen: proxy.befallen };
  } finally {
    await registry.close();
    log.end();
  }
};

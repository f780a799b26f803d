/**
 * Simulates the time of submissions that conflict in the counters of the catalogue, and that DynamoDB throttles at a busy
 * partition key. Repeatable by its seed.
 */

import { type CatalogueTarget, createTarget } from '../../shared/storage/catalogue/target.ts';
import { storageRetries } from '../../shared/storage/dynamodb/attempt.ts';
import { createRandom } from '../support/random.ts';

/** The time of one transaction, committed or cancelled by a conflict in its shard. */
const transactionMs = 20;

/** Write units that DynamoDB accepts for one partition key in a second. Its further bursts are not guaranteed. */
export const keyUnitsASecond = 1000;

interface Traffic {
  readonly shards: number;
  readonly perSecond: number;
  readonly seed: number;
  /** Write units of a submission at the most written partition key. */
  readonly keyUnits: number;
  /** Simulated time in milliseconds; a minute if not given. */
  readonly forMs?: number;
  /** What becomes of the targets that instances of functions have; as they are, if not given. */
  readonly adapt?: (target: CatalogueTarget) => CatalogueTarget;
}

/** The scheduled events, the next one first. */
const createAgenda = () => {
  const entries: { readonly at: number; readonly act: () => void }[] = [];
  return {
    add: (at: number, act: () => void): void => {
      const before = entries.findLastIndex((entry) => entry.at <= at);
      entries.splice(before + 1, 0, { at, act });
    },
    run: (): void => {
      for (let next = entries.shift(); next; next = entries.shift()) next.act();
    },
  };
};

/** Returns a function that takes units of a partition key: false if the key has none left, because it is throttled. */
const createKey = () => {
  let units = keyUnitsASecond;
  let asOf = 0;
  return (wanted: number, now: number): boolean => {
    units = Math.min(keyUnitsASecond, units + ((now - asOf) * keyUnitsASecond) / 1000);
    asOf = now;
    if (units < wanted) return false;
    units -= wanted;
    return true;
  };
};

const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? Number.NaN;

/**
 * Submissions come at random, as many a second on average. Each takes the instance that was idle last, as Lambda does, or
 * a new one; and a transaction that finds its shard taken is made again after a pause, where its target is then. So is a
 * throttled one, with the same target.
 * @returns what half of them take at most, and 99 of 100, in milliseconds
 */
const simulateTraffic = ({
  shards,
  perSecond,
  seed,
  keyUnits,
  forMs = 60_000,
  adapt = (target) => target,
}: Traffic): { median: number; p99: number } => {
  const random = createRandom(seed).next;
  const agenda = createAgenda();
  const idle: CatalogueTarget[] = [];
  const taken = new Set<number>();
  const tookMs: number[] = [];
  const takeUnits = createKey();

  const attempt = (target: CatalogueTarget, began: number, now: number, earlier = 0): void => {
    const { shard } = target;
    const end = now + transactionMs;
    const isFree = !taken.has(shard);
    if (isFree && takeUnits(keyUnits, now)) {
      taken.add(shard);
      agenda.add(end, () => {
        taken.delete(shard);
        idle.push(target);
        tookMs.push(end - began);
      });
      return;
    }
    agenda.add(end, () => {
      if (!isFree) target.leave?.(shard);
      const again = end + random() * storageRetries.delayMs(earlier);
      agenda.add(again, () => attempt(target, began, again, earlier + 1));
    });
  };
  const submit = (now: number): void => {
    if (now > forMs) return;
    attempt(idle.pop() ?? adapt(createTarget(shards, random)), now, now);
    const next = now - (Math.log(1 - random()) * 1000) / perSecond;
    agenda.add(next, () => submit(next));
  };
  submit(0);
  agenda.run();
  return { median: quantile(tookMs, 0.5), p99: quantile(tookMs, 0.99) };
};

/** Simulates many seeds: the median and the worst result. */
export const simulateOften = (traffic: Omit<Traffic, 'seed'>, times = 40) => {
  const runs = Array.from({ length: times }, (_, at) =>
    simulateTraffic({ ...traffic, seed: at + 1 }),
  );
  const [medians, p99s] = [runs.map(({ median }) => median), runs.map(({ p99 }) => p99)];
  return { median: quantile(medians, 0.5), p99: quantile(p99s, 0.5), worst: Math.max(...p99s) };
};

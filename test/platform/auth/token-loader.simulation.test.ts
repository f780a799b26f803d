import { describe, it } from 'vitest';
import { findToken } from '../../../shared/platform/auth/find-token.ts';
import { createTokenLoader, type TokenLoader } from '../../../shared/platform/auth/token-loader.ts';
import { histories } from '../../support/histories.ts';
import { createRandom, type Random } from '../../support/random.ts';

/**
 * Random schedules of rotation, revocation, changed scopes, throttling, outage, deletion and malformed values, over several function
 * instances, on a fake clock. A failure names its seed, and that seed repeats it.
 */

// What is promised, written down here a second time.
const listLifetimeMs = 60_000;
const refreshIntervalMs = 10_000;
const staleLimitMs = 600_000;
/** The shortest time between fetches while none has ever succeeded, after so many failures. */
const firstIntervalsMs = [100, 200, 400, 800, 1600, 3200, 6400];

const seedsInAll = histories(600);
const seedsATest = 200;
const stepsOfASchedule = 150;
const instances = 3;
const tokenNames = Array.from({ length: 8 }, (_, at) => `token-${at}-`.padEnd(40, 'x'));
const stranger = 'never-valid-'.padEnd(40, 'x');

const scopes = ['submit', 'review', 'submit+review'];
const firstGrant: Grant = { token: tokenNames[0] ?? '', scopes: 'submit+review' };

/** Two steps may be milliseconds apart, or longer than any bound. */
const pauses = [1, 200, 2000, 9000, 11_000, 59_000, 61_000, 599_000, 700_000];

type Fault = 'throttled' | 'denied' | 'deleted' | 'malformed';

/** A token, and what its entry says that it is for. */
interface Grant {
  readonly token: string;
  readonly scopes: string;
}

/** Secrets Manager as it was at every moment: the accepted tokens, and what was wrong. */
interface Epoch {
  readonly from: number;
  readonly tokens: readonly Grant[];
  readonly fault: Fault | undefined;
}

interface World {
  now: number;
  readonly epochs: Epoch[];
}

const epochAt = ({ epochs }: World, moment: number): Epoch =>
  epochs.findLast(({ from }) => from <= moment) as Epoch;

/** The epochs that some moment of the span lies in. */
const epochsWithin = (world: World, from: number, to: number): Epoch[] => [
  epochAt(world, from),
  ...world.epochs.filter((epoch) => epoch.from > from && epoch.from <= to),
];

const read = ({ tokens, fault }: Epoch): string => {
  if (fault === 'malformed') return '{"token": "x"}, ###';
  if (fault) throw new Error(fault);
  return tokens.map(({ token, scopes }) => `it/${scopes}:${token}`).join(',');
};

interface Instance {
  readonly loader: TokenLoader;
  readonly fetches: number[];
  /** How many fetches failed before the first that succeeded; undefined once one did. */
  failures: number | undefined;
}

/** A fetch takes time, in which the secret may be read at once or only at its end. */
const startInstance = (world: World, random: Random): Instance => {
  const fetches: number[] = [];
  const instance: Pick<Instance, 'failures'> = { failures: 0 };
  const loader = createTokenLoader({
    fetchValue: async () => {
      fetches.push(world.now);
      const early = epochAt(world, world.now);
      const latency = random.pick([0, 5, 1500]);
      world.now += latency;
      return read(random.below(2) === 0 ? early : epochAt(world, world.now));
    },
    now: () => world.now,
    report: ({ kind }) => {
      if (kind === 'loaded') instance.failures = undefined;
      else if (instance.failures !== undefined) instance.failures += 1;
    },
  });
  return Object.assign(instance, { loader, fetches });
};

/** The shortest time from the last fetch of an instance to its next one. */
const shortestInterval = ({ failures }: Instance): number =>
  failures === undefined || failures === 0
    ? refreshIntervalMs
    : (firstIntervalsMs[failures - 1] ?? refreshIntervalMs);

const kindsOfChange = [
  'rotation',
  'revocation',
  'scoping',
  'outage',
  'recovery',
  'recovery',
] as const;

const change = (world: World, random: Random): void => {
  const { tokens } = epochAt(world, world.now);
  const others = tokenNames.filter((name) => !tokens.some(({ token }) => token === name));
  const grant = (): Grant => ({ token: random.pick(others), scopes: random.pick(scopes) });
  const kinds = {
    rotation: (): Epoch => ({
      from: world.now,
      tokens: [grant(), ...tokens.slice(0, 1)],
      fault: undefined,
    }),
    revocation: (): Epoch => ({
      from: world.now,
      tokens: tokens.length > 1 ? tokens.slice(1) : [grant()],
      fault: undefined,
    }),
    scoping: (): Epoch => ({
      from: world.now,
      tokens: tokens.map(({ token }) => ({ token, scopes: random.pick(scopes) })),
      fault: undefined,
    }),
    outage: (): Epoch => ({
      from: world.now,
      tokens,
      fault: random.pick(['throttled', 'denied', 'deleted', 'malformed'] as const),
    }),
    recovery: (): Epoch => ({ from: world.now, tokens, fault: undefined }),
  };
  const kind = random.pick(kindsOfChange);
  world.epochs.push(kinds[kind]());
};

/** As the authentication middleware asks. */
const judge = async ({ loader }: Instance, token: string) => {
  const list = await loader.current();
  if (!list) return 'unavailable';
  const found = findToken(list, token) ?? findToken((await loader.refreshed()) ?? list, token);
  return found ? found.scopes.join('+') : 'refused';
};

/** Vitest's own expectations take longer than all the rest, half a million times. */
const must = (holds: boolean, broken: string, context: object): void => {
  if (!holds) throw new Error(`${broken}: ${JSON.stringify(context)}`);
};

/** Checks one verdict, given at some moment between asking and answering, against the bounds. */
const checkVerdict = (
  world: World,
  { token, verdict, asked }: { token: string; verdict: string; asked: number },
): void => {
  const { now } = world;
  const within = (span: number): Epoch[] => epochsWithin(world, asked - span, now);
  const isWell = (epochs: readonly Epoch[]): boolean => epochs.every(({ fault }) => !fault);
  const isValid = ({ tokens }: Epoch): boolean => tokens.some((one) => one.token === token);
  const wasSo = (epochs: readonly Epoch[]): boolean =>
    epochs.some(({ tokens }) =>
      tokens.some((one) => one.token === token && one.scopes === verdict),
    );
  const context = { token, verdict, asked, now };

  if (scopes.includes(verdict)) {
    must(wasSo(within(staleLimitMs)), 'accepted so past ten minutes', context);
    if (isWell(within(listLifetimeMs + refreshIntervalMs))) {
      must(wasSo(within(listLifetimeMs)), 'accepted so past a minute', context);
    }
    return;
  }
  const lately = within(refreshIntervalMs);
  if (!isWell(lately)) return;
  must(verdict === 'refused', 'unavailable though Secrets Manager answers', context);
  const isSettled = lately.every(isValid);
  must(!isSettled, 'refused though valid for ten seconds', context);
};

const runSchedule = async (seed: number): Promise<void> => {
  const random = createRandom(seed);
  const world: World = {
    now: 1e12,
    epochs: [{ from: 0, tokens: [firstGrant], fault: undefined }],
  };
  const warm = Array.from({ length: instances }, () => startInstance(world, random));
  for (let step = 0; step < stepsOfASchedule; step += 1) {
    world.now += random.pick(pauses.slice(0, 1 + random.below(pauses.length)));
    if (random.below(5) === 0) change(world, random);
    // A cold start takes the place of an instance.
    if (random.below(40) === 0) warm[random.below(instances)] = startInstance(world, random);
    const instance = random.pick(warm);
    const token = random.pick([...tokenNames, stranger]);
    const asked = world.now;
    const intervalMs = shortestInterval(instance);
    const fetched = instance.fetches.length;
    const verdict = await judge(instance, token);
    if (token === stranger) must(!scopes.includes(verdict), 'let a stranger in', { asked });
    else checkVerdict(world, { token, verdict, asked });
    if (instance.fetches.length === fetched) continue;
    const [last = 0, before = Number.NEGATIVE_INFINITY] = instance.fetches.slice(-2).reverse();
    must(last - before >= intervalMs, 'fetched again too soon', { last, before, intervalMs });
  }
};

describe('tokens under random schedules', () => {
  it.each(Array.from({ length: seedsInAll / seedsATest }, (_, at) => at * seedsATest))(
    `keep to their bounds (${seedsATest} seeds from %i)`,
    async (first) => {
      for (let seed = first; seed < first + seedsATest; seed += 1) {
        await runSchedule(seed).catch((error: Error) => {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
        });
      }
    },
  );
});

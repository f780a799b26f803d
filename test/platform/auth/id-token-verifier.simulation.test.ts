import { describe, expect, it } from 'vitest';
import type { TrustedIssuer } from '../../../shared/domain/identity/trusted-issuer.ts';
import { createIdTokenVerifier } from '../../../shared/platform/auth/id-token-verifier.ts';
import { createIssuerKeys, toDiscoveryUrl } from '../../../shared/platform/auth/issuer-keys.ts';
import { histories } from '../../support/histories.ts';
import { type IssuerKey, makeKey, signClaims } from '../../support/issuer.ts';
import { createRandom, type Random } from '../../support/random.ts';

/**
 * Random schedules of key rotation, outages of the issuer, wrong clocks and claims, over several function instances, on a fake clock.
 * A failure names its seed, and that seed repeats it.
 */

// What is promised, written down here a second time.
const keysLifetimeMs = 300_000;
const refreshIntervalMs = 10_000;
const staleLimitMs = 600_000;
const skewSeconds = 60;

const seedsInAll = histories(150);
const seedsATest = 50;
const stepsOfASchedule = 80;
const instances = 2;

const url = 'https://id.example.com';
const issuer: TrustedIssuer = {
  ...{ issuer: url, holders: 'people', audiences: ['registry'] },
  label: { claim: 'email', prefix: '' },
  rules: [
    { if: { groups: ['staff'] }, scopes: ['submit'] },
    { if: { groups: ['security'] }, scopes: ['review'] },
  ],
};

/** Key pairs take time, and every schedule can use the same. */
const pool = Promise.all(Array.from({ length: 5 }, () => makeKey()));

const pauses = [1, 200, 9000, 11_000, 59_000, 299_000, 301_000, 599_000, 700_000];

/** The issuer as it was at every moment: its published keys, and what was wrong. */
interface Epoch {
  readonly from: number;
  readonly keys: readonly IssuerKey[];
  readonly fault: string | undefined;
}

interface World {
  now: number;
  readonly epochs: Epoch[];
  readonly pool: readonly IssuerKey[];
}

const epochAt = ({ epochs }: World, moment: number): Epoch =>
  epochs.findLast(({ from }) => from <= moment) as Epoch;

/** The epochs that some moment of the span lies in. */
const epochsWithin = (world: World, from: number, to: number): Epoch[] => [
  epochAt(world, from),
  ...world.epochs.filter((epoch) => epoch.from > from && epoch.from <= to),
];

const answer = ({ keys, fault }: Epoch, href: string): Record<string, unknown> => {
  if (fault === 'down') throw new Error('The issuer is down');
  if (fault === 'other issuer') return { issuer: `${url}/other`, jwks_uri: `${url}/keys` };
  if (href === toDiscoveryUrl(url).href) return { issuer: url, jwks_uri: `${url}/keys` };
  return fault === 'malformed'
    ? { keys: 'none' }
    : { keys: keys.map(({ publicJwk }) => publicJwk) };
};

const startInstance = (world: World, random: Random) => {
  const keys = createIssuerKeys({
    issuer: url,
    now: () => world.now,
    noteFailure: () => undefined,
    load: async ({ href }) => {
      const early = epochAt(world, world.now);
      world.now += random.pick([0, 5, 1500]);
      return answer(random.below(2) === 0 ? early : epochAt(world, world.now), href);
    },
  });
  return createIdTokenVerifier({ issuers: [issuer], keysOf: () => keys, now: () => world.now });
};

const change = (world: World, random: Random): void => {
  const { keys } = epochAt(world, world.now);
  const fresh = world.pool.filter((key) => !keys.includes(key));
  const kinds: readonly (() => Omit<Epoch, 'from'>)[] = [
    () => ({ keys: [random.pick(fresh), ...keys.slice(0, 1)], fault: undefined }),
    () => ({ keys: keys.length > 1 ? keys.slice(1) : [random.pick(fresh)], fault: undefined }),
    () => ({ keys, fault: random.pick(['down', 'other issuer', 'malformed']) }),
    () => ({ keys, fault: undefined }),
    () => ({ keys, fault: undefined }),
  ];
  world.epochs.push({ from: world.now, ...random.pick(kinds)() });
};

/** A token, and what it is worth if its key is valid. */
interface Sample {
  readonly key: IssuerKey;
  readonly token: string;
  /** The label and the scopes; undefined if the claims give none. */
  readonly worth: string | undefined;
  readonly notBefore: number;
  readonly notAfter: number;
}

const groupsOf: readonly (readonly [unknown, string])[] = [
  [['staff'], 'submit'],
  [['staff', 'security'], 'submit,review'],
  ['security', 'review'],
  [['shop'], ''],
  [undefined, ''],
  [{ security: true }, ''],
];

const emails: readonly (readonly [unknown, boolean])[] = [
  ['ana@example.com', true],
  ['bo@example.com', true],
  ['registry', false],
  ['ci', false],
  [undefined, false],
];

const audiences: readonly (readonly [unknown, boolean])[] = [
  ['registry', true],
  [['registry', 'shop'], true],
  ['shop', false],
  [undefined, false],
];

const sign = async (world: World, random: Random): Promise<Sample> => {
  // Mostly a key that is or was published: an unknown one would have the keys loaded again.
  const published = epochAt(world, world.now - random.pick([0, 0, 450_000, 800_000])).keys;
  const key = random.pick(random.below(8) === 0 ? world.pool : published);
  const clock = Math.floor(world.now / 1000) + random.pick([0, 0, 0, 30, 90, -30, -400]);
  const [groups, scopes] = random.pick(groupsOf);
  const [email, isLabel] = random.pick(emails);
  const [aud, isOurs] = random.pick([...audiences, ...audiences.slice(0, 1)]);
  const exp = clock + random.pick([-100, 5, 300, 3600]);
  const claims = { iss: url, sub: 'someone', aud, groups, email, iat: clock, exp };
  return {
    key,
    token: await signClaims(claims, key),
    worth: scopes !== '' && isLabel && isOurs ? `${email} ${scopes}` : undefined,
    notBefore: (clock - skewSeconds) * 1000,
    notAfter: (exp + skewSeconds) * 1000,
  };
};

const must = (holds: boolean, broken: string, context: object): void => {
  if (!holds) throw new Error(`${broken}: ${JSON.stringify(context)}`);
};

/** Checks one verdict, given at some moment between asking and answering, against the bounds. */
const checkVerdict = (
  world: World,
  { key, worth, notBefore, notAfter }: Sample,
  { verdict, asked }: { readonly verdict: string; readonly asked: number },
): void => {
  const { now } = world;
  const within = (span: number): Epoch[] => epochsWithin(world, asked - span, now);
  const isWell = (epochs: readonly Epoch[]): boolean => epochs.every(({ fault }) => !fault);
  const hasKey = ({ keys }: Epoch): boolean => keys.includes(key);
  const context = { verdict, worth, asked, now, kid: key.kid, epochs: within(staleLimitMs) };
  const isTimely = notBefore <= now && now < notAfter;
  const wasTimely = notBefore <= now && asked < notAfter;

  if (verdict.startsWith('accepted ')) {
    must(verdict === `accepted ${worth}`, 'a wrong label or wrong scopes', context);
    must(wasTimely, 'accepted out of its time', context);
    must(
      within(staleLimitMs).some(hasKey),
      'accepted with a key that is gone for ten minutes',
      context,
    );
    if (isWell(within(keysLifetimeMs + refreshIntervalMs))) {
      must(
        within(keysLifetimeMs + refreshIntervalMs).some(hasKey),
        'accepted with a replaced key',
        context,
      );
    }
    return;
  }
  const lately = within(refreshIntervalMs);
  if (!isWell(lately)) return;
  must(verdict !== 'unavailable', 'unavailable though the issuer answers', context);
  const isSettled = lately.every(hasKey) && isTimely && notBefore <= asked && worth !== undefined;
  must(!isSettled, 'refused though valid for ten seconds', context);
};

const runSchedule = async (seed: number): Promise<Record<string, number>> => {
  const random = createRandom(seed);
  const keys = await pool;
  const world: World = {
    now: 1_800_000_000_000,
    epochs: [{ from: 0, keys: keys.slice(0, 1), fault: undefined }],
    pool: keys,
  };
  const counts: Record<string, number> = {};
  const warm = Array.from({ length: instances }, () => startInstance(world, random));
  for (let step = 0; step < stepsOfASchedule; step += 1) {
    world.now += random.pick(pauses.slice(0, 1 + random.below(pauses.length)));
    if (random.below(4) === 0) change(world, random);
    if (random.below(40) === 0) warm[random.below(instances)] = startInstance(world, random);
    const sample = await sign(world, random);
    const asked = world.now;
    const outcome = await random.pick(warm).verify(sample.token, ['ci']);
    const verdict =
      outcome.kind === 'accepted'
        ? `accepted ${outcome.caller.label} ${outcome.caller.scopes}`
        : outcome.kind;
    checkVerdict(world, sample, { verdict, asked });
    counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
  }
  return counts;
};

describe('ID tokens under random schedules', () => {
  it.each(Array.from({ length: seedsInAll / seedsATest }, (_, at) => at * seedsATest))(
    `never open, and never with a wrong label (${seedsATest} seeds from %i)`,
    async (first) => {
      const counts: Record<string, number> = {};
      for (let seed = first; seed < first + seedsATest; seed += 1) {
        const found = await runSchedule(seed).catch((error: Error) => {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
        });
        for (const [kind, count] of Object.entries(found))
          counts[kind] = (counts[kind] ?? 0) + count;
      }
      // Each outcome occurs, so that each bound is checked.
      for (const kind of ['accepted', 'invalid', 'refused', 'unavailable']) {
        expect([kind, counts[kind] ?? 0]).toEqual([kind, expect.any(Number)]);
        expect(counts[kind]).toBeGreaterThan(50);
      }
    },
  );
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { listVersion } from '../../../shared/storage/vulnerabilities/list-version.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultShares, withFaults } from '../../support/faults.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { nothing, readAll, runCheck } from '../integrity/reviewed-registry.ts';
import { decideKnown, inventHas, scanKnown, submitKnown } from './known-versions.ts';
import { expectListed, type KnownVersion, pickListed, sortItems } from './oracle.ts';

const versionsCount = 4;
const rounds = 4;
const enoughTime = { remainingMs: () => 10_000 };

const shares: FaultShares = {
  ...{ conflict: 8, throttling: 4, lostAnswer: 8 },
  ...{ lateWrite: 5, deathBefore: 5, deathAfter: 5 },
};

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const expectStored = async (versions: readonly KnownVersion[]): Promise<void> => {
  expect(sortItems(pickListed(await readAll('reviews')))).toEqual(
    sortItems(expectListed(versions)),
  );
};

/** Lists a version as the stream brings it: until that succeeds, and some workers at once now and then. */
const deliver = async (version: KnownVersion, random: Random): Promise<void> => {
  const work = () => listVersion(toVersionKey(version), enoughTime);
  for (;;) {
    const workers = Array.from({ length: 1 + random.below(2) }, work);
    const outcomes = await Promise.allSettled(workers);
    if (outcomes.every(({ status }) => status === 'fulfilled')) return;
  }
};

const change = (version: KnownVersion, random: Random): Promise<KnownVersion> =>
  random.below(4) === 0
    ? decideKnown(version, random.pick(['approved', 'rejected']))
    : scanKnown(version, inventHas(random));

describe('the listing of versions by what they have', () => {
  it.each([1, 2])(
    'comes to what follows from the versions, whatever goes wrong (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      let versions: KnownVersion[] = [];
      for (let at = 0; at < versionsCount; at += 1) versions.push(await submitKnown(`one-${at}`));

      for (let round = 0; round < rounds; round += 1) {
        const listing: Promise<void>[] = [];
        versions = await Promise.all(versions.map((version) => change(version, random)));
        await withFaults(
          random,
          async () => {
            for (const version of versions) listing.push(deliver(version, random));
            await Promise.all(listing);
          },
          shares,
        );
        await expectStored(versions);
      }

      expect(await runCheck(false)).toMatchObject({ found: nothing, unjudged: 0 });
    },
    60_000,
  );
});

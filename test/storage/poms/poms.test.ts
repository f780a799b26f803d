import { afterEach, beforeEach, expect, it } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { hasRightPoms } from '../../../shared/storage/poms/pom-list.ts';
import { findPomChecksums } from '../../../shared/storage/poms/pom-rows.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { isInjected, withFaults } from '../../support/faults.ts';
import { histories } from '../../support/histories.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { createRandom } from '../../support/random.ts';
import { inDays } from '../../use-cases/policy/policy-registry.ts';
import { readReviews, work } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import {
  approve,
  expectRows,
  type Leaning,
  learn,
  makePom,
  maven,
  publish,
  readPomRows,
  reject,
  sortRows,
  tell,
} from './leaning-versions.ts';

const lib = maven('lib');
const parent = makePom('org.acme:parent:7');
const bom = makePom('org.acme:bom:3');
const other = makePom('org.acme:other:1');

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const expectListed = async (...wanted: readonly Leaning[]): Promise<void> => {
  expect(sortRows(await readPomRows())).toEqual(expectRows(...wanted));
};

it('an approved version stands under its parents and imported lists, with what was read of them', async () => {
  await publish(lib, { parents: [parent], boms: [bom, parent] });

  await tell(lib);

  await expectListed([lib, [bom, parent]]);
  expect(await findPomChecksums(bom.coordinates, undefined)).toEqual(bom.checksums);
  expect(await findPomChecksums('org.acme:nobody:1', undefined)).toBeUndefined();
});

it('a version that is not approved, or not pinned, stands under none', async () => {
  await submitPackage(lib, writeContext());
  await learn(lib, { parents: [parent] });
  await submitPackage(maven('unknown'), writeContext());
  await approve(maven('unknown'));

  await tell(lib);
  await tell(maven('unknown'));

  await expectListed();
  expect((await readReviews()).filter(({ k }) => k === '#poms')).toEqual([]);
});

it('rows go when a version is rejected, and only its own', async () => {
  await publish(lib, { parents: [parent, bom] });
  await publish(maven('second'), { parents: [parent] });
  await tell(lib);
  await tell(maven('second'));
  await reject(lib);

  await tell(lib);

  await expectListed([maven('second'), [parent]]);
});

it('rows go when an approval has run out, and come back as its origin says by then', async () => {
  await publish(lib, { parents: [parent, bom] });
  await reject(lib);
  await approve(lib, new Date(Date.now() + 60_000).toISOString());
  await tell(lib);
  await expectListed([lib, [bom, parent]]);

  await work(inDays(1));
  await tell(lib);
  await expectListed();

  await learn(lib, { parents: [other, bom] });
  await approve(lib);
  await tell(lib);
  await expectListed([lib, [bom, other]]);
});

it('what is pinned late is listed then', async () => {
  await submitPackage(lib, writeContext());
  await approve(lib);
  await tell(lib);
  await learn(lib, { parents: [parent] });

  await tell(lib);

  await expectListed([lib, [parent]]);
});

it('telling of it again costs one small read', async () => {
  await publish(lib, { parents: [parent], boms: [bom] });
  await tell(lib);

  const { calls, readUnits, writeUnits } = await measure(() => tell(lib));

  expect({ calls, readUnits, writeUnits }).toEqual({ calls: 1, readUnits: 2, writeUnits: 0 });
});

it('more than fit into a transaction are listed by several', async () => {
  const many = Array.from({ length: 150 }, (_, at) => makePom(`org.acme:b${at}:1`));
  await publish(lib, { boms: many });

  await tell(lib);

  await expectListed([lib, many]);
});

it.each([
  ['before it has claimed the version', 0],
  ['after that', 1],
])('of two workers the one that read last has its way, where it comes %s', async (_, after) => {
  await publish(lib, { parents: [parent] });

  await meanwhile(
    async () => {
      await reject(lib);
      await tell(lib);
    },
    () => tell(lib),
    after,
  );

  await expectListed();
});

it.each(Array.from({ length: histories(4) }, (_, at) => at + 1))(
  'whatever is lost on the way, the next one mends it: seed %i',
  async (seed) => {
    const random = createRandom(seed);
    const many = Array.from({ length: 60 }, (_, at) => makePom(`org.acme:b${at}:1`));
    await publish(lib, { boms: many });
    const lose = { deathBefore: 15, deathAfter: 15, lateWrite: 10, lostAnswer: 10, conflict: 10 };
    const tellBadly = () =>
      withFaults(
        random,
        async () => {
          const outcomes = await Promise.allSettled([tell(lib), tell(lib)]);
          for (const one of outcomes) {
            if (one.status === 'rejected' && !isInjected(one.reason)) throw one.reason;
          }
        },
        lose,
      );

    for (let turn = 0; turn < 3; turn += 1) {
      await tellBadly();
      if (random.below(2) === 0) {
        await reject(lib);
        await tellBadly();
        await approve(lib);
      }
    }
    const isApproved = random.below(2) === 0;
    if (!isApproved) await reject(lib);
    await tell(lib);

    await expectListed([lib, isApproved ? many : []]);
    expect(await hasRightPoms(toVersionKey(lib))).toBe(true);
  },
);

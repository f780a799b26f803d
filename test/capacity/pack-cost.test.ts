import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageName } from '../../shared/domain/packages/package-id.ts';
import { serveMaven } from '../../shared/ecosystems/maven/gate/serve-maven.ts';
import { serveNpm } from '../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { withReadBudget } from '../../shared/storage/dynamodb/read-budget.ts';
import { updatePack } from '../../shared/storage/packs/update-pack.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { approveWith } from '../ecosystems/gate/keep.ts';
import { storeApproved } from '../storage/packs/approved-packages.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { writeContext } from './write-context.ts';

const files = { origin: 'https://registry.example.com', isSpread: false, places: [] };
const inquiries = { isScanning: true, isCollectingFacts: true };
const context = () => ({
  base: 'https://gate.example.com/npm',
  ...{ files, own: [], freeze: undefined, inquiries, now: new Date(), passesPlugins: false },
});
const npm = { ecosystem: 'npm', name: 'lib' } as const;
const now = new Date();

type IsKnown = (state: string) => boolean;

/** The list of each ecosystem, and its number of versions. */
const lists: readonly {
  readonly of: PackageName;
  readonly ask: (isKnown?: IsKnown) => Promise<object>;
  readonly count: (document: never) => number;
}[] = [
  {
    of: npm,
    ask: (isKnown) => serveNpm('lib', { ...context(), isKnown }),
    count: ({ versions }) => Object.keys(versions).length,
  },
  {
    of: { ecosystem: 'pypi', name: 'lib' },
    ask: (isKnown) => servePypi('simple/lib/', { ...context(), isKnown }),
    count: ({ versions }: { versions: readonly string[] }) => versions.length,
  },
  {
    of: { ecosystem: 'maven', name: 'org.acme:lib' },
    ask: (isKnown) => serveMaven('org/acme/lib/maven-metadata.xml', { ...context(), isKnown }),
    count: (document: string) => document.split('<version>').length - 1,
  },
];

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

describe('a list from a pack', () => {
  it.each([
    [1, [1, 1, 1]],
    [100, [5, 4, 2]],
    [500, [18, 16, 4]],
    // Storing as many versions of each ecosystem takes minutes.
    [1000, [35]],
  ])('of %i approved versions with signatures takes at most %j units', async (count, most) => {
    const found = [];
    for (const { of, ask, count: countVersions } of lists.slice(0, most.length)) {
      await storeApproved(of, count);
      await updatePack(of, { now });

      const { result, readUnits, roundTrips } = await measure(() => ask());

      const { document } = result as { document: never };
      expect(countVersions(document)).toBe(count);
      expect(roundTrips).toBeLessThanOrEqual(2);
      found.push(readUnits);
    }
    expect(found.map((units, at) => Math.min(units, most[at] ?? 0))).toEqual(found);
  });

  it.each(lists)(
    'takes one unit for a client with a current copy: $of.ecosystem',
    async ({ of, ask }) => {
      await storeApproved(of, 200);
      await updatePack(of, { now });
      const { state } = Object(await ask());

      const again = await measure(() => ask((one) => one === state));

      expect(again.result).toMatchObject({ unchanged: state });
      expect([again.calls, again.readUnits]).toEqual([1, 1]);
    },
  );

  it('adds versions decided since to a pack, for two units each', async () => {
    await storeApproved(npm, 100);
    await updatePack(npm, { now });
    await storeApproved(npm, 3, 100);

    const { result, readUnits, roundTrips } = await measure(() => serveNpm('lib', context()));

    const { document, state } = Object(result);
    expect(Object.keys(document.versions)).toHaveLength(103);
    expect(state).toBeUndefined();
    expect(readUnits).toBeLessThanOrEqual(5 + 3 * 2);
    expect(roundTrips).toBe(3);
  });

  it('takes two round trips with 22 optional packages, and 13 units', async () => {
    const names = Array.from({ length: 22 }, (_, at) => `native-${at}`);
    const optionalDependencies = Object.fromEntries(names.map((name) => [name, '0.0.0 - 9.0.0']));
    const dist = { tarball: `${files.origin}/x.tgz`, integrity: 'sha512-AAAA' };
    const version = { name: 'lib', version: '1.0.0', dist, optionalDependencies };
    await approveWith({ ...npm, version: '1.0.0' }, { kind: 'npm', version });
    for (const name of names) {
      await storeApproved({ ecosystem: 'npm', name }, 20);
      await updatePack({ ecosystem: 'npm', name }, { now });
    }
    await updatePack(npm, { now });

    const { result, readUnits, roundTrips } = await measure(() =>
      withReadBudget(() => serveNpm('lib', context())),
    );

    const { document, state } = Object(result);
    expect(Object.keys(document.versions['1.0.0'].optionalDependencies)).toHaveLength(22);
    expect(state).toContain('native-21');
    expect(roundTrips).toBe(2);
    expect(readUnits).toBeLessThanOrEqual(13);
  });
});

describe('the costs of a pack', () => {
  it('are two write units of a decision about an approval, and none of another decision', async () => {
    const id = { ...npm, version: '1.0.0' };
    const costOf = async (to: 'approved' | 'rejected', ecosystem: 'npm' | 'docker') => {
      const request = { to, by: 'ana', reason: 'a test' } as const;
      const version = ecosystem === 'npm' ? id : { ...id, ecosystem };
      return (await measure(() => decidePackage(version, request, writeContext()))).writeUnits;
    };
    await submitPackage(id, writeContext());
    // The gate lists no images, so that decisions on them write no mark.
    await submitPackage({ ...id, ecosystem: 'docker' }, writeContext());

    const [rejected, image] = [await costOf('rejected', 'npm'), await costOf('rejected', 'docker')];
    const [approved, approvedImage] = [
      await costOf('approved', 'npm'),
      await costOf('approved', 'docker'),
    ];

    expect([rejected - image, approved - approvedImage]).toEqual([0, 2]);
  });

  it('are at most 6 write units of the worker for each approval, on average of 150', async () => {
    const costs: { readUnits: number; writeUnits: number }[] = [];
    for (let at = 0; at < 150; at += 1) {
      await storeApproved(npm, 1, at);
      costs.push(await measure(() => updatePack(npm, { now })));
    }

    const sum = (of: 'readUnits' | 'writeUnits'): number =>
      costs.reduce((total, cost) => total + cost[of], 0);
    expect(costs[0]).toMatchObject({ writeUnits: 2 });
    expect(sum('writeUnits') / costs.length).toBeLessThanOrEqual(6);
    expect(sum('readUnits') / costs.length).toBeLessThanOrEqual(3);
    const { result, readUnits } = await measure(() => serveNpm('lib', context()));
    expect(Object.keys(Object(result).document.versions)).toHaveLength(150);
    expect(readUnits).toBeLessThanOrEqual(7);
  });

  it('are one read unit of the worker for a change that another worker has packed', async () => {
    await storeApproved(npm, 1);
    await updatePack(npm, { now });

    const { readUnits, writeUnits } = await measure(() => updatePack(npm, { now }));

    expect([readUnits, writeUnits]).toEqual([1, 0]);
  });
});

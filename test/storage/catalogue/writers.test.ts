/** What is written of one version, item by item: what a list or a search reads is shown elsewhere. */
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { parseSearchTerm } from '../../../shared/domain/packages/search.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import {
  isBrowseKey,
  isCounterKey,
  readShard,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import {
  type CounterItem,
  isCountable,
  readSmallBucketCounts,
  sumCounts,
  sumShards,
} from '../../../shared/storage/catalogue/counters.ts';
import { allFacets, describeFacet, toFacets } from '../../../shared/storage/catalogue/facets.ts';
import {
  countByPartition,
  countOutsideSummary,
  readLargeCounters,
} from '../../../shared/storage/catalogue/large-counters.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { makeRows, readRest, readSequenceNumber } from '../../../shared/storage/catalogue/rows.ts';
import {
  renumberVersion,
  takePosition,
} from '../../../shared/storage/catalogue/sequence-numbers.ts';
import {
  type CatalogueTarget,
  createTarget,
  makeTarget,
} from '../../../shared/storage/catalogue/target.ts';
import {
  addToCatalogue,
  moveInCatalogue,
  SequenceNumberTakenError,
} from '../../../shared/storage/catalogue/writes.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { transact } from '../../../shared/storage/dynamodb/transact.ts';
import type { Write } from '../../../shared/storage/dynamodb/write.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import type { Deadline } from '../../../shared/util/deadline.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { smallLayout } from './history.ts';

const deadline: Deadline = { remainingMs: () => 10_000 };
const target: CatalogueTarget = { layout: smallLayout, shard: 0 };

let engine: TestEngine | undefined;
beforeEach(async () => {
  await engine?.close();
  engine = await startEngine();
});
afterAll(() => engine?.close());

const apply = (writes: readonly Write[]): Promise<void> => transact(writes, deadline);

type Item = Readonly<Record<string, unknown>>;

/** Everything in the catalogue by its key. */
const readAll = async (): Promise<Readonly<Record<string, Item>>> => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'catalogue' }));
  return Object.fromEntries(
    Items.map(({ p, o, ...item }): [string, Item] => [`${p} ${o}`, item]).sort(),
  );
};

const jszip = {
  ecosystem: 'npm',
  name: 'zip',
  version: '3.10.1',
  license: 'MIT',
  description: null,
  status: 'pending',
} as PackageDetail;
const approved: PackageDetail = { ...jszip, status: 'approved' };

/** The 70th, in the second partition of 64, the 5th large bucket of 16, and the second small bucket of 4 there. */
const sequence = 70;
const browseKey = '*--1 0000001y';
const listKeys = (status: string): string[] =>
  ['--', 'n-', `-${status}`, `n${status}`].map((filter) => `*${filter}1 0000001y`);
const searchKeys = ['3^z ip0000001y', '3zip 0000001y'];
const largeBucketKey = '#c 00000400';
const smallBucketKey = '#f000004 000100';
/** What else the counter of a large bucket has: an id, and the time of its last change. */
const identified = { i: expect.stringMatching(/^[\w-]{8}$/), d: expect.any(Number) };

const facts = { n: 'zip', v: '3.10.1', l: 'MIT' };
const pendingRows = {
  ...Object.fromEntries(
    [...listKeys('p'), ...searchKeys].map((key) => [key, { ...facts, c: 'D' }]),
  ),
};
const approvedRows = {
  ...Object.fromEntries(
    [...listKeys('a'), ...searchKeys].map((key) => [key, { ...facts, c: 'E' }]),
  ),
};

describe('a new version', () => {
  it('has a row in the list of each filter and for each text, and counts in two counters', async () => {
    await apply(addToCatalogue(jszip, sequence, target));

    expect(await readAll()).toEqual({
      ...pendingRows,
      [largeBucketKey]: { D: 1, u: 1, ...identified },
      [smallBucketKey]: { D: 1, u: 1 },
    });
  });

  it('has no license where none is known', async () => {
    await apply(addToCatalogue({ ...jszip, license: null }, sequence, target));

    expect((await readAll())[browseKey]).not.toHaveProperty('l');
  });

  it('counts in another shard, which has a name of its own as long as it is there', async () => {
    const elsewhere = { ...target, shard: 37 };
    await apply(addToCatalogue(jszip, sequence, elsewhere));
    const first = await readAll();
    await apply(moveInCatalogue({ before: jszip, after: approved }, sequence, elsewhere));
    const second = await readAll();

    for (const [key, others] of [
      ['#c 00000411', { d: expect.any(Number) }],
      ['#f000004 000111', {}],
    ] as const) {
      expect(first[key]).toEqual({ D: 1, u: 1, ...others, i: expect.stringMatching(/^[\w-]{8}$/) });
      expect(second[key]).toEqual({ D: 0, E: 1, u: 2, ...others, i: first[key]?.['i'] });
    }
    expect(first['#c 00000411']?.['i']).not.toBe(first['#f000004 000111']?.['i']);
  });

  it('takes no place of another one, nor of itself', async () => {
    await apply(addToCatalogue(jszip, sequence, target));
    const before = await readAll();

    for (const name of ['zip', 'other']) {
      await expect(apply(addToCatalogue({ ...jszip, name }, sequence, target))).rejects.toThrow(
        new SequenceNumberTakenError(),
      );
    }
    expect(await readAll()).toEqual(before);
    await apply(addToCatalogue({ ...jszip, name: 'other' }, sequence + 1, target));
    expect((await readAll())[smallBucketKey]).toEqual({ D: 2, u: 2 });
  });
});

describe('a decision', () => {
  it('changes every row, and moves one from count to count', async () => {
    await apply(addToCatalogue(jszip, sequence, target));
    await apply(moveInCatalogue({ before: jszip, after: approved }, sequence, target));

    expect(await readAll()).toEqual({
      ...approvedRows,
      [largeBucketKey]: { D: 0, E: 1, u: 2, ...identified },
      [smallBucketKey]: { D: 0, E: 1, u: 2 },
    });
  });

  it('heals rows that were lost', async () => {
    await apply(moveInCatalogue({ before: jszip, after: approved }, sequence, target));

    expect(await readAll()).toMatchObject(approvedRows);
  });

  it.each([{ name: 'zap' }, { version: '3.10.2' }, { ecosystem: 'pypi' as const }])(
    'does not touch the rows of another version: %j',
    async (difference) => {
      await apply(addToCatalogue({ ...jszip, ...difference }, sequence, target));
      const before = await readAll();

      await expect(
        apply(moveInCatalogue({ before: jszip, after: approved }, sequence, target)),
      ).rejects.toThrow('Another version has this sequence number');
      expect(await readAll()).toEqual(before);
    },
  );
});

describe('a place in the order of submissions', () => {
  const drawn = async (taken: number): Promise<number[]> => {
    const places: number[] = [];
    await takePosition(async (place) => {
      places.push(place);
      if (places.length <= taken) throw new SequenceNumberTakenError();
    }, deadline);
    return places;
  };

  it('is the next, and where that is taken, each further one lies twice as far ahead', async () => {
    expect(await drawn(0)).toEqual([1]);
    expect(await drawn(3)).toEqual([2, 4, 8, 16]);
    expect(await drawn(0)).toEqual([17]);
  });

  it('is not drawn again after anything else that goes wrong', async () => {
    const failing = takePosition(() => Promise.reject(new Error('broken')), deadline);

    await expect(failing).rejects.toThrow('broken');
    expect(await drawn(0)).toEqual([2]);
  });

  const id = { ecosystem: 'npm', name: 'zip', version: '3.10.1' } as const;
  const submitOne = async () => {
    await submitPackage(id, writeContext());
    const stored = await findVersion(id);
    if (!stored) throw new Error('It was not stored');
    return stored;
  };
  const context = { catalogue: target, deadline };

  it('is given anew after all others, with rows and counts there', async () => {
    const stored = await submitOne();

    expect(await renumberVersion(stored, context)).toBe(true);
    expect((await findVersion(id))?.sequence).toBe('00000002');
    expect(await readAll()).toMatchObject({
      '*--0 00000002': { n: 'zip' },
      '#f000000 000000': { D: 2 },
    });
  });

  it('is not given to a version that changed since it was read', async () => {
    const stored = await submitOne();
    await renumberVersion(stored, context);
    const before = await readAll();

    expect(await renumberVersion(stored, context)).toBe(false);
    expect(await readAll()).toEqual(before);
  });

  it('is not given where something is broken, and that is told', async () => {
    const stored = await submitOne();
    await dynamodb.send(
      new PutCommand({
        TableName: 'catalogue',
        Item: { p: '#c', o: '00000000', D: 'text' },
      }),
    );

    await expect(renumberVersion(stored, context)).rejects.toThrow('ValidationError');
    expect((await findVersion(id))?.sequence).toBe(stored.sequence);
  });
});

describe('the shard in which an instance counts', () => {
  /** A target that draws these, one after the other. */
  const drawing = (shards: number, ...draws: number[]) =>
    createTarget(shards, () => draws.shift() ?? 0);

  it('is drawn from all that there are', () => {
    expect([0, 0.25, 0.5, 0.999].map((draw) => drawing(4, draw).shard)).toEqual([0, 1, 2, 3]);
  });

  it.each([
    [0, 1],
    [0.34, 2],
    [0.999, 3],
  ])('is left for any other one: %f', (draw, left) => {
    const begun = drawing(4, 0, draw);
    const later = drawing(4, 0.5, draw);

    begun.leave?.(0);
    later.leave?.(2);

    expect([begun.shard, later.shard]).toEqual([left, (2 + left) % 4]);
  });

  it('is left once, however many tell of the same meeting', () => {
    const chosen = drawing(4, 0, 0, 0);

    chosen.leave?.(0);
    chosen.leave?.(0);
    chosen.leave?.(3);

    expect(chosen.shard).toBe(1);
  });

  it('stays where there is but one, and where a target says so', () => {
    const only = drawing(1, 0.5);
    only.leave?.(0);

    expect(only.shard).toBe(0);
    expect(makeTarget(7)).toMatchObject({ shard: 7 });
    expect(makeTarget(7).leave).toBeUndefined();
  });

  it('is that of the function instance', async () => {
    // Another file of this worker may have chosen already, by settings of its own.
    const fresh = '../../../shared/storage/catalogue/target.ts?fresh';
    const { chooseTarget }: typeof import('../../../shared/storage/catalogue/target.ts') =
      await import(fresh);

    expect(chooseTarget()).toBe(chooseTarget());
    expect(chooseTarget().shard).toBe(0);
  });

  it('is told of to whoever meets others there, by the writes themselves', () => {
    const left: number[] = [];
    const leave = (shard: number) => left.push(shard);
    const tell = (writes: readonly Write[]) => {
      for (const { onConflict } of writes) onConflict?.();
    };

    tell(addToCatalogue(jszip, sequence, { ...target, shard: 5, leave }));
    tell(addToCatalogue(jszip, sequence, target));

    expect(left).toEqual([5, 5]);
  });
});

describe('counts', () => {
  const shard = (o: string, counts: Record<string, unknown>): CounterItem =>
    ({ p: '#c', o, ...counts }) as CounterItem;
  const sums = (...shards: CounterItem[]) =>
    Object.fromEntries([...sumShards(shards)].filter(([, count]) => count !== 0));

  it('are summed over shards, without what is no number', () => {
    expect(sums(shard('00000000', { A: 1, B: 2 }), shard('00000001', { A: 3, B: 'text' }))).toEqual(
      { A: 4, B: 2 },
    );
    expect([...sumShards([]).keys()]).toEqual(allFacets);
  });

  it('are those of a copy where its shard is gone, and of the shard where it is there', () => {
    const other = shard('00000001', { A: 3, i: 'one' });
    const first = shard('00000000', { A: 1, f: [other] });

    expect(sums(first)).toEqual({ A: 4 });
    expect(sums(first, { ...other, A: 5 })).toEqual({ A: 6 });
    expect(sums(first, { ...other, A: 5, i: 'another' })).toEqual({ A: 9 });
  });

  it('can be added to while they are numbers or missing', () => {
    expect(isCountable(shard('00000000', {}))).toBe(true);
    expect(isCountable(shard('00000000', { A: 1, u: 1, t: 'any' }))).toBe(true);
    expect(isCountable(shard('00000000', { A: 'text' }))).toBe(false);
    expect(isCountable(shard('00000000', { A: 1, u: 'text' }))).toBe(false);
  });

  it('are read for each bucket, in the facets of the query', async () => {
    for (const [at, shards] of [
      [1, 0],
      [2, 3],
      [5, 0],
      [70, 0],
      [100, 35],
    ] as const) {
      const detail = { ...jszip, version: `${at}.0.0` };
      await apply(addToCatalogue(detail, at, { ...target, shard: shards }));
    }

    const counters = await readLargeCounters();
    const layout = smallLayout;
    expect(countOutsideSummary(counters, 0, { facets: ['D'], layout })).toEqual(new Map([[0, 3]]));
    expect(countOutsideSummary(counters, 1, { facets: ['D'], layout })).toEqual(
      new Map([
        [4, 1],
        [6, 1],
      ]),
    );
    expect(await readSmallBucketCounts(0, ['D'])).toEqual(
      new Map([
        [0, 2],
        [1, 1],
      ]),
    );
    expect(sumCounts(countByPartition(counters, ['D', 'E'], layout))).toBe(5);
    expect(sumCounts(countByPartition(counters, ['E'], layout))).toBe(0);
    const sequences = await dynamodb.send(
      new GetCommand({ TableName: 'catalogue', Key: { p: '#f000006', o: '00010z' } }),
    );
    expect(sequences.Item).toMatchObject({ D: 1 });
  });
});

describe('what was written', () => {
  const versions = [
    jszip,
    { ...jszip, ecosystem: 'pypi', name: 'unzip', license: null },
    { ...jszip, version: '4.0.0', status: 'approved' },
    { ...jszip, ecosystem: 'pypi', name: 'zipp', status: 'approved' },
  ] as const;

  it.each([
    [{}, [0, 1, 2, 3]],
    [{ ecosystem: 'npm' }, [0, 2]],
    [{ status: 'approved' }, [2, 3]],
    [{ ecosystem: 'npm', status: 'pending' }, [0]],
    [{ ecosystem: 'docker' }, []],
    [{ search: 'zip' }, [0, 1, 2, 3]],
    [{ search: 'nzi' }, [1]],
    [{ search: 'zip', ecosystem: 'pypi', status: 'approved' }, [3]],
  ] as const)('is listed as it was, by %j', async (filter, expected) => {
    for (const [at, version] of versions.entries()) {
      await apply(addToCatalogue(version, at + 1, target));
    }
    const list = createCatalogue(smallLayout);

    const { packages, total } = await list({
      ...filter,
      search: 'search' in filter ? parseSearchTerm(filter.search) : undefined,
      ...{ order: oldestFirst, limit: 10, offset: 0 },
    });

    expect(total).toBe(expected.length);
    expect(packages).toEqual(
      expected.map((at) => {
        const { description: _, ...item } = versions[at] as PackageDetail;
        return item;
      }),
    );
  });

  it('tells from its keys what it is', () => {
    const rows = makeRows({ ...jszip, sequence }, smallLayout);

    expect(new Set(rows.map(readSequenceNumber))).toEqual(new Set([sequence]));
    expect(rows.map(isBrowseKey)).toEqual([true, true, true, true, false, false]);
    expect(rows.slice(4).map(readRest)).toEqual(['ip', '']);
    expect(rows.some(isCounterKey)).toBe(false);
    expect(isCounterKey({ p: '#c', o: '00000411' })).toBe(true);
    expect(readShard({ p: '#c', o: '00000411' })).toBe(37);
  });

  it('is in one cell for each ecosystem and status', () => {
    expect(allFacets).toEqual([...'ABCDEFGHIJKL']);
    expect(allFacets.flatMap((cell) => toFacets(describeFacet(cell)))).toEqual(allFacets);
    expect(toFacets({ ecosystem: 'npm' })).toEqual(['D', 'E', 'F']);
    expect(toFacets({ status: 'pending' })).toEqual(['A', 'D', 'G', 'J']);
    expect(toFacets({})).toEqual(allFacets);
    expect(() => describeFacet('Z')).toThrow('The catalogue has a row in the unknown facet Z');
  });
});

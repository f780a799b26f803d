import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { renumberVersion } from '../../../shared/storage/catalogue/sequence-numbers.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { comparePack } from '../../../shared/storage/packs/compare-pack.ts';
import { updatePack } from '../../../shared/storage/packs/update-pack.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { measure } from '../../support/engine.ts';
import { put, readAll, remove } from '../integrity/reviewed-registry.ts';
import { storeApproved, toVersion } from './approved-packages.ts';

const npm = { ecosystem: 'npm', name: 'lib' } as const;
const context = () => ({
  base: 'https://gate.example.com/npm',
  files: { origin: 'https://registry.example.com', isSpread: false, places: [] },
  inquiries: { isScanning: true, isCollectingFacts: true },
  ...{ own: [], freeze: undefined, now: new Date() },
});
const now = new Date();

beginEachWith(async () => {
  await storeApproved(npm, 60);
  await updatePack(npm, { now });
});

const listPack = async (kind: string): Promise<StoredItem[]> =>
  (await readAll('reviews')).filter(
    ({ v, k }) => v === '#pack#npm#lib' && String(k).startsWith(kind),
  );

const keyOf = ({ v, k }: StoredItem) => ({ v: String(v), k: String(k) });

const listServed = async (): Promise<string[]> => {
  const { document } = Object(await serveNpm('lib', context()));
  return Object.keys(document.versions);
};

const changeEach = async (kind: string, change: (item: StoredItem) => object): Promise<void> => {
  for (const item of await listPack(kind)) await put('reviews', { ...item, ...change(item) });
};

/** Damages, and true for those that only the integrity check repairs. */
const damages: readonly [string, () => Promise<unknown>, isRepair: boolean][] = [
  [
    'a lost segment',
    async () => {
      for (const item of await listPack('s#')) await remove('reviews', keyOf(item));
    },
    true,
  ],
  [
    'a segment with other bytes',
    () => changeEach('s#', () => ({ packed: Buffer.from('x') })),
    true,
  ],
  [
    'newest entries that are unreadable',
    () => changeEach('h', () => ({ recent: Buffer.from('x') })),
    false,
  ],
  ['a head of another format', () => changeEach('h', () => ({ format: 0 })), false],
  [
    'a lost head',
    async () => {
      await remove('reviews', { v: '#pack#npm#lib', k: 'h' });
      await storeApproved(npm, 1, 3);
    },
    false,
  ],
];

it.each(damages)(
  'lists all versions in spite of %s, and then from a new pack',
  async (_, damage, isRepair) => {
    const before = await listServed();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await damage();

    const during = await listServed();
    await storeApproved(npm, 1, 60);
    await updatePack(npm, { now, anew: isRepair });
    const { result, readUnits } = await measure(() => serveNpm('lib', context()));

    expect(during).toEqual(before);
    expect(Object.keys(Object(result).document.versions)).toEqual([toVersion(60), ...before]);
    expect(readUnits).toBeLessThanOrEqual(5);
  },
);

it('is never served alone when its version changed: a rejection acts before the worker runs', async () => {
  const key = { name_key: 'lib', version_key: `${toVersion(7)}#npm#lib#${toVersion(7)}` };
  await dynamodb.send(
    new UpdateCommand({
      TableName: 'packages',
      Key: key,
      UpdateExpression: 'SET #s = :s, ecosystem_status_sequence = :k',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': 'rejected', ':k': 'npm#rejected#00000008' },
    }),
  );
  await put('reviews', { v: '#pack#npm#lib', k: `c#npm#lib#${toVersion(7)}`, state: '2 ' });

  const before = await listServed();
  await updatePack(npm, { now });
  const after = await listServed();

  expect(before).not.toContain(toVersion(7));
  expect(before).toHaveLength(59);
  expect(after).toEqual(before);
});

it('has every version after ten workers at once', async () => {
  await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      await storeApproved(npm, 10, 60 + 10 * at);
      await updatePack(npm, { now });
    }),
  );
  await updatePack(npm, { now });

  expect(await listServed()).toHaveLength(160);
  expect(await listPack('c#')).toEqual([]);
  const [head] = await listPack('h');
  const named = Object(head).segments.map(({ id }: { id: string }) => `s#${id}`);
  expect((await listPack('s#')).map(({ k }) => k).sort()).toEqual(named.sort());
});

/** Runs other work after the first write of a head, whose answer is then lost. */
const loseAnswer = async (other: () => Promise<void>, act: () => Promise<void>): Promise<void> => {
  let isFirst = true;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isHead = JSON.stringify(args.input).includes('"k":{"S":"h"}');
        const answer = await next(args);
        if (!(isFirst && commandName === 'PutItemCommand' && isHead)) return answer;
        isFirst = false;
        await other();
        throw Object.assign(new Error('lost answer'), { name: 'TimeoutError' });
      },
    { step: 'deserialize', name: 'loseAnswer' },
  );
  try {
    await act();
  } finally {
    dynamodb.middlewareStack.remove('loseAnswer');
  }
};

it('keeps the segments of a write whose answer was lost, where another worker kept them', async () => {
  // Some of these writes move the newest entries of the head to a segment.
  for (const at of [60, 62, 64, 66, 68]) {
    await storeApproved(npm, 1, at);
    await loseAnswer(
      async () => {
        await storeApproved(npm, 1, at + 1);
        await updatePack(npm, { now });
      },
      () => updatePack(npm, { now }),
    );
  }

  expect(await listServed()).toHaveLength(70);
  expect(await comparePack(npm)).toBe('right');
});

it('reads a version again that has another number since the worker read it', async () => {
  await storeApproved(npm, 1, 60);
  const id = { ...npm, version: toVersion(60) };
  let isFirst = true;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isHead = JSON.stringify(args.input).includes('"k":{"S":"h"}');
        if (isFirst && commandName === 'PutItemCommand' && isHead) {
          isFirst = false;
          const item = await findVersion(id);
          if (item) await renumberVersion(item, writeContext());
        }
        return next(args);
      },
    { step: 'deserialize', name: 'renumber' },
  );
  await updatePack(npm, { now }).finally(() => dynamodb.middlewareStack.remove('renumber'));

  expect(await comparePack(npm)).toBe('late');
  await updatePack(npm, { now });
  expect(await comparePack(npm)).toBe('right');
});

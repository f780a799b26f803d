import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { normalizeSnapshot } from '../../../shared/domain/projects/snapshot.ts';
import { deleteAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { writeBatches } from '../../../shared/storage/dynamodb/write-batches.ts';
import {
  deleteContents,
  findContent,
  putContent,
  readContents,
} from '../../../shared/storage/projects/snapshot-content.ts';
import { createDeadline } from '../../../shared/util/deadline.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const id = { project: 'shop', ref: 'main' };
const deadline = createDeadline(60_000);

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

it('keeps versions that fit into no item, as long as all parts are there', async () => {
  const versions = normalizeSnapshot(
    Array.from({ length: 5000 }, (_, at) => ({
      ...{ ecosystem: 'npm' as const, name: randomBytes(100).toString('hex'), version: '1.0.0' },
      ...{ direct: [true, false, null][at % 3], files: [`${at % 7}.json`, `${at % 11}.json`] },
    })),
  );
  const writes = putContent(id, 'one', versions);
  await writeBatches(writes, deadline);
  await writeBatches(putContent(id, 'two', versions.slice(0, 1)), deadline);

  const contents = await readContents(id);

  expect(writes.length).toBeGreaterThan(1);
  expect([...contents.keys()]).toEqual(['one', 'two']);
  expect(contents.get('one')?.versions).toEqual(versions);
  expect(await findContent(id, 'two')).toEqual(versions.slice(0, 1));
  const [first] = deleteContents(contents.values());
  if (first) await deleteAlone(first);
  expect(await findContent(id, 'one')).toBeUndefined();
  expect((await readContents(id)).get('one')?.versions).toBeUndefined();
});

it('keeps a snapshot without versions', async () => {
  await writeBatches(putContent(id, 'none', []), deadline);

  expect(await findContent(id, 'none')).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotRequest } from '../../../shared/api/schemas/snapshot.ts';
import { toUseKey } from '../../../shared/storage/projects/project-items.ts';
import { recordSnapshot } from '../../../shared/use-cases/projects/record-snapshot.ts';
import { removeRef } from '../../../shared/use-cases/projects/remove-ref.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { killAt, laterContext, readTable } from './interruption.ts';

const id = { project: 'shop', ref: 'main' };

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

/** 60 versions: some of them are in all snapshots, others in one. Their rows take several calls. */
const makeVersions = (snapshot: string): SnapshotRequest['versions'] =>
  Array.from({ length: 60 }, (_, at) => ({
    ...{ ecosystem: 'npm', name: at % 2 ? `kept-${at}` : `${snapshot}-${at}`, version: '1.0.0' },
    direct: at % 3 === snapshot.length % 3,
  }));

const record = (snapshot: string) =>
  recordSnapshot(id.project, { ref: id.ref, versions: makeVersions(snapshot) }, laterContext());
const remove = () => removeRef(id, laterContext());

/** Expects the rows of one snapshot, its content and its ref, and nothing else. */
const expectOnly = async (snapshot: string): Promise<void> => {
  const items = await readTable();
  const isOf = (prefix: string) =>
    items.filter(({ p }) => typeof p === 'string' && p.startsWith(prefix));
  const rows = makeVersions(snapshot).map((version) => ({
    ...toUseKey(version, id),
    direct: version.direct,
  }));
  expect(isOf('use#')).toHaveLength(rows.length);
  expect(isOf('use#')).toEqual(expect.arrayContaining(rows));
  const [ref, ...otherRefs] = isOf('project#');
  expect(ref).not.toHaveProperty('lease');
  expect(ref).toMatchObject({ k: 'main', current: { versions: rows.length } });
  expect(otherRefs).toEqual([]);
  const { content } = Object(ref?.['current']);
  expect(isOf('content#').map(({ k }) => k)).toEqual([`${content}#00`]);
  expect(isOf('#projects')).toMatchObject([{ k: 'shop', refs: 1 }]);
  expect(isOf('#count')).toMatchObject([{ count: 1 }]);
};

const expectNothing = async (): Promise<void> => {
  const items = await readTable();
  expect(items.filter(({ p }) => p !== '#count')).toEqual([]);
  expect(items.map((item) => item['count'] ?? 0)).toEqual(items.map(() => 0));
};

/** Runs a scenario with a death at each write of `work`, before and after it. */
const atEachWrite = async (
  work: () => Promise<unknown>,
  scenario: (kill: () => Promise<boolean>) => Promise<void>,
): Promise<number> => {
  for (let write = 0; ; write += 1) {
    let isOver = false;
    for (const when of ['before', 'after'] as const) {
      await scenario(async () => {
        isOver = await killAt(write, when, work);
        return isOver;
      });
    }
    if (isOver) return write;
  }
};

/** Removes the ref if there is one, so that a scenario begins with an empty table. */
const clear = async (): Promise<void> => {
  await remove().catch(() => undefined);
  await expectNothing();
};

describe('an interrupted recording', () => {
  it('of a new project leaves nothing after the next one, wherever it ended', async () => {
    const writes = await atEachWrite(
      () => record('first'),
      async (kill) => {
        await kill();
        await record('second');
        await expectOnly('second');
        await clear();
      },
    );

    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('of a change leaves nothing after the same one, another one, or the earlier one', async () => {
    for (const next of ['changed', 'another', 'first']) {
      const writes = await atEachWrite(
        () => record('changed'),
        async (kill) => {
          await record('first');
          await kill();
          await record(next);
          await expectOnly(next);
        },
      );

      expect(writes).toBeGreaterThanOrEqual(6);
    }
  });

  it('is completed even if its completion is interrupted, too', async () => {
    for (const first of [2, 7]) {
      await atEachWrite(
        () => record('another'),
        async (kill) => {
          await record('first');
          await killAt(first, 'after', () => record('changed'));
          await kill();
          await record('third');
          await expectOnly('third');
        },
      );
    }
  });

  it('leaves nothing after a removal', async () => {
    await atEachWrite(
      () => record('changed'),
      async (kill) => {
        await record('first');
        await kill();
        await remove();
        await expectNothing();
      },
    );
  });
});

describe('an interrupted removal', () => {
  it('leaves nothing after the next recording, or the next removal', async () => {
    const writes = await atEachWrite(remove, async (kill) => {
      await record('first');
      await kill();
      await record('second');
      await expectOnly('second');
    });
    await atEachWrite(remove, async (kill) => {
      await record('first');
      const isOver = await kill();
      const [again] = await Promise.allSettled([remove()]);
      if (isOver) expect(again.status).toBe('rejected');
      await expectNothing();
    });

    expect(writes).toBeGreaterThanOrEqual(4);
  });
});

describe('concurrent recordings of a ref', () => {
  it('leave one snapshot, and refuse the others', async () => {
    await record('first');
    const { now, ...context } = laterContext();
    const names = ['a', 'bb', 'ccc', 'dddd'];

    const answers = await Promise.allSettled(
      names.map((name) =>
        recordSnapshot(
          id.project,
          { ref: id.ref, versions: makeVersions(name) },
          { ...context, now },
        ),
      ),
    );

    const won = answers.flatMap(({ status }, at) => (status === 'fulfilled' ? names[at] : []));
    expect(won).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      expect(answer.reason).toMatchObject({ code: 'recording_in_progress' });
    }
    await expectOnly(won[0] ?? '');
  });

  it('of a new project create it once', async () => {
    const { now, ...context } = laterContext();

    const answers = await Promise.allSettled(
      ['dev', 'main', 'next'].map((ref) =>
        recordSnapshot('new', { ref, versions: makeVersions(ref) }, { ...context, now }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'fulfilled'));
    const items = await readTable();
    expect(items.filter(({ p }) => p === '#projects')).toMatchObject([{ refs: 3 }]);
    expect(items.filter(({ p }) => p === '#count')).toMatchObject([{ count: 1 }]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { SnapshotRequest } from '../../../shared/api/schemas/snapshot.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { toUseKey } from '../../../shared/storage/projects/project-items.ts';
import { recordSnapshot } from '../../../shared/use-cases/projects/record-snapshot.ts';
import { removeRef } from '../../../shared/use-cases/projects/remove-ref.ts';
import { showPackageProjects } from '../../../shared/use-cases/projects/show-uses.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { killAt, laterContext, readTable } from '../../use-cases/projects/interruption.ts';
import { nothing, put, readAll, remove } from './reviewed-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

const main = { project: 'shop', ref: 'main' };

const listVersions = (set: string): SnapshotRequest['versions'] =>
  Array.from({ length: 130 }, (_, at) => ({
    ...{ ecosystem: 'npm', name: at % 3 ? `lib-${at}` : `${set}-${at}`, version: '1.0.0' },
    direct: at % 2 === 0,
  }));

const record = (set: string, { project, ref } = main) =>
  recordSnapshot(project, { ref, owner: 'team', versions: listVersions(set) }, laterContext());

const runCheck = (repair: boolean): Promise<IntegrityReport> =>
  checkIntegrity(IntegrityReport.parse({ repair }), defaultLayout, { remainingMs: () => 60_000 });

const fill = async (): Promise<void> => {
  await record('first');
  await record('first', { project: 'shop', ref: 'release' });
  await record('other', { project: 'billing', ref: 'main' });
};

const ref = { p: 'project#shop', k: 'main' };
const use = toUseKey({ ecosystem: 'npm', name: 'lib-1', version: '1.0.0' }, main);

const find = async (p: string, k = ''): Promise<StoredItem> => {
  const items = await readAll('projects');
  return items.find((item) => item['p'] === p && String(item['k']).startsWith(k)) ?? {};
};

const change = async (p: string, k: string, changes: object): Promise<void> => {
  await put('projects', { ...(await find(p, k)), ...changes });
};

const content = 'content#shop#main';
const dropContent = async (): Promise<void> => {
  const { p, k } = await find(content);
  await remove('projects', { p: String(p), k: String(k) });
};

const stray = toUseKey({ ecosystem: 'npm', name: 'stray', version: '2.0.0' }, main);

describe('a registry without damage', () => {
  it('has no problems, also after changes, removals and in an empty table', async () => {
    const empty = await runCheck(true);
    await fill();
    await record('second');
    await record('second');
    await removeRef({ project: 'shop', ref: 'release' }, laterContext());
    await removeRef({ project: 'billing', ref: 'main' }, laterContext());
    const before = await readTable();

    const report = await runCheck(true);

    expect(empty).toMatchObject({ done: true, found: nothing });
    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0, unjudged: 0 });
    // A project, its ref, one part of its snapshot, and 130 uses.
    expect(report.checked).toMatchObject({ projects: 133, uses: 0 });
    expect(await readTable()).toEqual(before);
  });
});

type Found = Partial<IntegrityReport['found']>;

/** Damages, and what the check finds. */
const damages: readonly (readonly [string, Found, () => Promise<unknown>])[] = [
  ['a missing use', { missing_use: 1 }, () => remove('projects', use)],
  ['a wrong use', { wrong_use: 1 }, () => put('projects', { ...use, direct: true })],
  ['a use of no snapshot', { orphaned_use: 1 }, () => put('projects', { ...stray, direct: null })],
  [
    'a use of no project',
    { orphaned_use: 1 },
    () => put('projects', { ...use, k: '1.0.0#gone#main', direct: true }),
  ],
  [
    'a use that names no ref',
    { orphaned_use: 1 },
    () => put('projects', { ...use, k: '1.0.0', direct: true }),
  ],
  [
    'a snapshot of no ref',
    { orphaned_snapshot: 1 },
    async () => put('projects', { ...(await find(content)), p: 'content#gone#main' }),
  ],
  [
    'an earlier snapshot',
    { orphaned_snapshot: 1 },
    async () => put('projects', { ...(await find(content)), k: 'earlier#00' }),
  ],
  ['a wrong number of refs', { wrong_project: 1 }, () => change('#projects', 'shop', { refs: 7 })],
  [
    'a wrong number of projects',
    { wrong_project_count: 1 },
    () => change('#count', '', { count: 9 }),
  ],
  [
    'a project without refs',
    { wrong_project: 1 },
    async () => {
      await put('projects', { p: '#projects', k: 'gone', owner: null, refs: 1, recorded_at: '' });
      await change('#count', '', { count: 3 });
    },
  ],
];

describe('the integrity check of projects', () => {
  it.each(damages)('finds %s, and restores it', async (_, found, damage) => {
    await fill();
    const before = await readTable();
    await damage();

    const seen = await runCheck(false);
    const repaired = await runCheck(true);
    const again = await runCheck(false);

    expect(seen).toMatchObject({ found: { ...nothing, ...found }, repaired: 0, unjudged: 0 });
    expect(repaired).toMatchObject({ found: seen.found, repaired: 1 });
    expect(again).toMatchObject({ done: true, found: nothing });
    expect(await readTable()).toEqual(before);
  });

  it('continues in steps of one page', async () => {
    await fill();
    await remove('projects', use);
    await put('projects', { ...stray, direct: null });
    let report = IntegrityReport.parse({ repair: true });
    let steps = 0;

    while (!report.done) {
      const request = IntegrityReport.parse(JSON.parse(JSON.stringify(report)));
      report = await checkIntegrity(request, defaultLayout, { remainingMs: () => 10_000 });
      steps += 1;
    }

    expect(report.found).toEqual({ ...nothing, missing_use: 1, orphaned_use: 1 });
    expect(report.repaired).toBe(2);
    expect(steps).toBeGreaterThan(20);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('puts a missing project again, without its owner', async () => {
    await fill();
    await remove('projects', { p: '#projects', k: 'shop' });

    const seen = await runCheck(false);
    const repaired = await runCheck(true);
    const again = await runCheck(false);

    expect(seen.found).toEqual({ ...nothing, wrong_project: 1, wrong_project_count: 1 });
    expect(repaired.found).toEqual({ ...nothing, wrong_project: 1 });
    expect(again.found).toEqual(nothing);
    expect(await find('#projects', 'shop')).toMatchObject({ owner: null, refs: 2 });
  });

  it('restores all uses of a ref, in several transactions', async () => {
    await fill();
    const before = await readTable();
    for (const { p, k } of before.filter(({ k }) => String(k).endsWith('#shop#main'))) {
      await remove('projects', { p: String(p), k: String(k) });
    }

    const { found, repaired } = await runCheck(true);

    expect({ found, repaired }).toEqual({
      found: { ...nothing, missing_use: 130 },
      repaired: 130,
    });
    expect(await readTable()).toEqual(before);
  });

  it.each([
    ['is missing', dropContent],
    ['has another number of parts', async () => change(content, '', { of: 2 })],
    ['is damaged', async () => change(content, '', { packed: Buffer.from('x') })],
  ])('reports a snapshot that %s, and changes nothing of its ref', async (_, damage) => {
    await fill();
    await damage();
    await put('projects', { ...stray, direct: null });
    await remove(
      'projects',
      toUseKey(
        { ecosystem: 'npm', name: 'lib-1', version: '1.0.0' },
        {
          project: 'billing',
          ref: 'main',
        },
      ),
    );
    const before = await readTable();

    const report = await runCheck(true);

    expect(report.found).toEqual({ ...nothing, unreadable_snapshot: 1, missing_use: 1 });
    expect(report).toMatchObject({ repaired: 1, unjudged: 0 });
    expect(report.examples).toContain('unreadable_snapshot: shop main');
    expect(await readTable()).toHaveLength(before.length + 1);
  });

  it.each([
    ['is missing', dropContent],
    ['is damaged', () => change(content, '', { packed: Buffer.from('x') })],
  ])(
    'finds nothing after a snapshot that %s was removed, recorded again and repaired',
    async (_, damage) => {
      await fill();
      await damage();

      const removed = await removeRef(main, laterContext());
      await record('third');
      const { found } = await runCheck(true);
      const again = await runCheck(false);

      expect(removed).toMatchObject({ project_removed: false });
      expect(found['orphaned_use']).toBeGreaterThan(0);
      expect(again.found).toEqual(nothing);
    },
  );

  it('reports a snapshot whose uses are also missing', async () => {
    await fill();
    await dropContent();
    for (const { p, k } of (await readTable()).filter(({ k }) =>
      String(k).endsWith('#shop#main'),
    )) {
      await remove('projects', { p: String(p), k: String(k) });
    }

    const { found } = await runCheck(false);

    expect(found).toEqual({ ...nothing, unreadable_snapshot: 1 });
  });

  it('checks the others if one item cannot be checked', async () => {
    await fill();
    await put('projects', { ...stray, direct: null });
    await remove('projects', use);
    // DynamoDB cannot compare the id of this lease.
    await change('project#billing', 'main', { lease: 'broken' });
    await put('projects', { ...stray, k: '2.0.0#billing#main', direct: null });

    const { found, repaired, unjudged } = await runCheck(true);

    expect(found).toEqual({ ...nothing, missing_use: 1, orphaned_use: 2 });
    expect({ repaired, unjudged }).toEqual({ repaired: 2, unjudged: 1 });
  });
});

describe('a ref that somebody writes', () => {
  const until = Date.now() + 60_000;

  it.each([
    ['during the lease', until, 0],
    ['after the end of the lease', 1, 1],
  ])('is checked only %s', async (_, end, count) => {
    await fill();
    await change(ref.p, ref.k, { lease: { id: 'other', until: end, recording: null } });
    await remove('projects', use);
    await put('projects', { ...stray, direct: null });

    const { found } = await runCheck(true);

    expect(found).toEqual({ ...nothing, missing_use: count, orphaned_use: count });
  });

  it('keeps what an interrupted recording needs, which the next one completes', async () => {
    for (let write = 0; ; write += 1) {
      await record('first');
      const isOver = await killAt(write, 'after', () => record('second'));
      await runCheck(true);
      const { found } = await runCheck(false);
      await record('third');
      const last = await runCheck(false);
      expect(found).toEqual(nothing);
      expect(last.found).toEqual(nothing);
      if (isOver) break;
    }
  });

  it('keeps what an interrupted removal needs', async () => {
    for (let write = 0; ; write += 1) {
      await record('first');
      const isOver = await killAt(write, 'after', () => removeRef(main, laterContext()));
      await runCheck(true);
      await removeRef(main, laterContext()).catch(() => undefined);
      const { found } = await runCheck(false);
      expect(found).toEqual(nothing);
      expect((await readTable()).filter(({ p }) => p !== '#count')).toEqual([]);
      if (isOver) break;
    }
  });

  it.each([0, 1])(
    'loses nothing if it is recorded just before write %s of a repair',
    async (write) => {
      await fill();
      await put('projects', { ...stray, direct: null });
      await remove('projects', use);
      const versions = [
        ...listVersions('second'),
        { ecosystem: 'npm', name: 'stray', version: '2.0.0', direct: true } as const,
      ];
      // In real time, so that its lease is in force.
      const context = { ...laterContext(), now: new Date() };

      await meanwhile(
        () => recordSnapshot('shop', { ref: 'main', versions }, context),
        () => runCheck(true),
        write,
      );

      const { found } = await runCheck(false);
      const { uses } = await showPackageProjects('stray', { limit: 10 });
      expect(found).toEqual(nothing);
      expect(uses).toMatchObject([{ project: 'shop', direct: true }]);
    },
  );
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import type { DueItem } from '../../../shared/storage/reviews/due.ts';
import { readReviewFile } from '../../../shared/storage/reviews/review-file.ts';
import { listAffected } from '../../../shared/storage/vulnerabilities/affected.ts';
import { listVersion } from '../../../shared/storage/vulnerabilities/list-version.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { showVulnerability } from '../../../shared/use-cases/vulnerability-index/show-vulnerability.ts';
import { listAllDue } from '../../support/all-due.ts';
import { measure, type Snapshot, type TestEngine, takeSnapshot } from '../../support/engine.ts';
import { withFaults } from '../../support/faults.ts';
import { createRandom } from '../../support/random.ts';
import { accept, readReviews } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import { nothing, put, remove, runCheck } from '../integrity/reviewed-registry.ts';
import { decideKnown, scanKnown, submitKnown } from './known-versions.ts';
import { expectListed, type KnownVersion, pickListed, sortItems } from './oracle.ts';

const enoughTime = { remainingMs: () => 60_000 };
/** How many a version has, and after how many the others are left to the clock, which goes on by 200 at a time. */
const [has, mostIds] = [225, 20];

const nameId = (at: number): string => `CVE-2026-${String(at).padStart(5, '0')}`;

const invent = (from: number, to: number): KnownVersion['has'] =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ id: nameId(from + at), aliases: [], severity: 'high' },
    ...{ known_exploited: false, isHarmless: false },
  }));

/** Updates the listing of a version, as the stream does. */
const listAgain = (version: KnownVersion): Promise<void> =>
  listVersion(toVersionKey(version), enoughTime, { mostIds });

const inAMinute = (): Date => new Date(Date.now() + 60_000);

/** Has the clock do what is due. */
const work = (deadline = enoughTime) => runDueWork({ now: inAMinute(), deadline });

const listLeft = (): Promise<DueItem[]> => listAllDue(inAMinute());

const isRowOf =
  (version: KnownVersion) =>
  ({ v, k }: StoredItem): boolean =>
    k === toVersionKey(version) && String(v).startsWith('#vuln#');

const findRows = async (version: KnownVersion): Promise<StoredItem[]> =>
  (await readReviews()).filter(isRowOf(version));

/** Nothing is left to be listed. */
const expectAllListed = async (...versions: readonly KnownVersion[]): Promise<void> => {
  expect(sortItems(pickListed(await readReviews()))).toEqual(sortItems(expectListed(versions)));
  expect(await listLeft()).toEqual([]);
};

/** The same, and of what was open nothing is kept. */
const expectStored = async (...versions: readonly KnownVersion[]): Promise<void> => {
  await expectAllListed(...versions);
  const stored = await readReviews();
  expect(stored.filter(({ k }) => String(k).startsWith('synced-'))).toEqual([]);
};

const readFile = () => readReviewFile(version);

/** Whether a call notes how far a listing has come. */
const notesPlace = (input: object): boolean =>
  'Item' in input && Number(Object(input.Item).listed) > 0;

let snapshot: Snapshot;
let engine: TestEngine;
let version: KnownVersion;

beforeAll(async () => {
  snapshot = await takeSnapshot(async () => {
    version = await scanKnown(await submitKnown('large'), invent(0, has));
    await listAgain(version);
  });
});
afterAll(() => snapshot.remove());

beforeEach(async () => {
  engine = await snapshot.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

describe('a version with more ids than are listed at once', () => {
  it('is listed under so many, and left to the clock, which ends it', async () => {
    expect(await findRows(version)).toHaveLength(mostIds);
    expect(await listLeft()).toMatchObject([{ kind: 'listing', version_key: 'npm#large#1.0.0' }]);

    await work();

    await expectStored(version);
  });

  it('is left alone by who comes again meanwhile', async () => {
    const { result: _, ...cost } = await measure(() => listAgain(version));

    expect(cost).toMatchObject({ calls: 1, writeUnits: 0 });
  });

  it('is told of rightly as far as it is listed, and not at all beyond', async () => {
    const show = (at: number) => showVulnerability(nameId(at), { limit: 10 }, new Date());

    expect(await show(0)).toMatchObject({ total: 1, packages: [{ name: 'large' }] });
    await expect(show(has - 1)).rejects.toMatchObject({ code: 'vulnerability_not_found' });
  });

  it('is gone on with step by step, for as long as there is time', async () => {
    const sent = vi.spyOn(dynamodb, 'send');
    const isNoted = () => sent.mock.calls.some(([{ input }]) => notesPlace(input));
    const [before] = await listLeft();

    await work({ remainingMs: () => (isNoted() ? 9_000 : 60_000) });

    expect(await findRows(version)).toHaveLength(mostIds + 200);
    const [row, ...others] = await listLeft();
    expect(others).toEqual([]);
    // Who has waited longest is next.
    expect(row?.due_at && before?.due_at && row.due_at > before.due_at).toBe(true);
    await work();
    await expectStored(version);
  });

  it('is not begun with where no time is left', async () => {
    const before = await readReviews();

    await work({ remainingMs: () => 9_000 });

    expect(await readReviews()).toEqual(before);
  });

  it('is gone on with where a worker was killed between two steps', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const { send } = dynamodb;
    const killed = vi.spyOn(dynamodb, 'send').mockImplementation((command, ...options) => {
      if (notesPlace(command.input)) throw new Error('killed');
      return Reflect.apply(send, dynamodb, [command, ...options]);
    });
    await expect(work()).rejects.toThrow('1 of what was due failed');
    expect(await findRows(version)).toHaveLength(mostIds + 200);
    killed.mockRestore();

    const { writeUnits } = await measure(() => work());

    await expectStored(version);
    // What stands already is not written again.
    expect(writeUnits).toBeLessThan((has - mostIds - 150) * 12);
  });

  it.each([1, 2])('comes to its end whatever goes wrong (seed %i)', async (seed) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const shares = { conflict: 2, lostAnswer: 2, lateWrite: 2, deathBefore: 1, deathAfter: 1 };
    const random = createRandom(seed);
    const runBoth = () => Promise.allSettled([work(), work()]);

    await withFaults(
      random,
      async () => {
        for (let run = 0; run < 30 && (await listLeft()).length > 0; run += 1) await runBoth();
      },
      shares,
    );

    // A part may be left over that came late, or whose worker died: it means nothing, and goes with the next change.
    await expectAllListed(version);
    const scanned = await scanKnown(version, invent(0, has - 1));
    await listAgain(scanned);
    await work();
    await expectStored(scanned);
  });

  it('is listed as it is by then, where something else becomes known meanwhile', async () => {
    const scanned = await scanKnown(version, [...invent(0, 15), ...invent(200, 230)]);
    const decided = await decideKnown(scanned, 'approved');

    await listAgain(decided);
    // What was left before has its turn first.
    expect((await findRows(decided)).filter(({ status }) => status === 'pending')).not.toEqual([]);
    expect(await listLeft()).toHaveLength(1);
    await work();

    await expectStored(decided);
  });

  it('is listed as it is by then, where the clock comes before its stream', async () => {
    const scanned = await scanKnown(version, invent(50, 240));

    await work();
    await listAgain(scanned);

    await expectStored(scanned);
  });

  it('is told of as it is by then, where only what is left changed', async () => {
    const left = invent(100, has).map((one) => ({ ...one, severity: 'low' as const }));
    const scanned = await scanKnown(version, [...invent(0, 100), ...left]);

    await work();

    await expectStored(scanned);
    expect(await measure(() => listAgain(scanned))).toMatchObject({ calls: 1, writeUnits: 0 });
  });

  it('has what was accepted meanwhile hold for it', async () => {
    const id = nameId(has - 1);
    await accept(id);
    const row = (await listLeft()).find(({ kind }) => kind === 'listing');
    // What is accepted is brought to all that stand under the id, among which the version is not.
    await remove('reviews', { v: '#due-listings', k: `${row?.k}` });
    await work();
    expect(await readFile()).toMatchObject({ acceptances: [] });
    await put('reviews', row ?? {});

    await work();
    expect(await readFile()).toMatchObject({ acceptances: [{ id }] });
    await listAgain(version);
    await work();

    const [listed] = await listAffected(id, { count: 10 });
    expect(listed?.accepted_until).toEqual(expect.any(String));
  });

  it('is listed nowhere any more, where nothing is known of it meanwhile', async () => {
    const scanned = await scanKnown(version, []);

    await listAgain(scanned);
    await work();

    await expectStored(scanned);
  });
});

describe('the integrity check of what is left to the clock', () => {
  beforeEach(() => vi.spyOn(process.stdout, 'write').mockReturnValue(true));

  it('finds nothing wrong with it, whether it is to be listed or taken away', async () => {
    expect(await runCheck(true)).toMatchObject({ found: nothing, unjudged: 0 });
    await listAgain(await scanKnown(version, []));

    // No index worker follows the scan: the row by severity stays.
    const found = { ...nothing, orphaned_review_row: 1 };
    expect(await runCheck(true)).toMatchObject({ found, unjudged: 0 });
    expect(await listLeft()).toHaveLength(1);
  });

  it('reads a version with each page of its rows, and not with each row', async () => {
    await work();
    const sent = vi.spyOn(dynamodb, 'send');

    const report = await runCheck(false);

    const reads = sent.mock.calls.filter(([{ input }]) =>
      JSON.stringify(input).includes('":version":"npm#large#1.0.0"'),
    );
    // Rows, counters, one list, and a pending review with its rows: of all, by severity and by license.
    expect(report.checked).toMatchObject({ listings: 1 + 3 * has + 4 });
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThan(12);
  });

  it('has a version be gone on with whose row was lost', async () => {
    const [row] = await listLeft();
    await remove('reviews', { v: '#due-listings', k: row?.k ?? '' });

    const seen = await runCheck(true);
    await work();

    expect(seen).toMatchObject({ found: { ...nothing, wrong_listing: 1 }, repaired: 1 });
    await expectStored(version);
  });

  it('takes away rows of a version that is listed, and of none', async () => {
    await work();
    const due_at = inAMinute().toISOString();
    for (const version_key of ['npm#large#1.0.0', 'npm#nobody#1.0.0']) {
      const k = `${due_at}#listing#${version_key}`;
      await put('reviews', { v: '#due-listings', k, kind: 'listing', due_at, version_key });
    }

    const seen = await runCheck(true);

    expect(seen).toMatchObject({ found: { ...nothing, orphaned_due_row: 2 }, repaired: 2 });
    await expectStored(version);
  });

  it('leaves a row that stands for nothing to the clock, which takes it away', async () => {
    await work();
    const due_at = new Date().toISOString();
    const k = `${due_at}#listing#npm#large#1.0.0`;
    const row = { v: '#due-listings', k, kind: 'listing', due_at, version_key: 'npm#large#1.0.0' };
    await put('reviews', row);

    await work();

    await expectStored(version);
  });
});

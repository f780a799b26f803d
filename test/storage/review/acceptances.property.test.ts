import { afterEach, beforeEach, expect, it } from 'vitest';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { type Acceptance, isInScope } from '../../../shared/domain/vulnerabilities/acceptance.ts';
import { listEntries, summarize } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { makeAttentionRow } from '../../../shared/storage/reviews/attention.ts';
import { readReviewFile } from '../../../shared/storage/reviews/review-file.ts';
import {
  type EndedAcceptance,
  listAcceptances,
  listEndedAcceptances,
  listMarked,
  readAcceptanceCounter,
} from '../../../shared/storage/vulnerabilities/acceptances.ts';
import { listAffected } from '../../../shared/storage/vulnerabilities/affected.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultShares, isInjected, withFaults } from '../../support/faults.ts';
import { histories } from '../../support/histories.ts';
import { createRandom, type Random } from '../../support/random.ts';
import {
  accept,
  index,
  inMinutes,
  npm,
  readRecords,
  readReviews,
  scan,
  viewpoint,
  withdraw,
  work,
} from './accepted-registry.ts';

const ids = ['CVE-2024-1', 'CVE-2024-2'];
const versions = [npm('a'), npm('a', '2.0.0'), npm('b')];
const scopes = [
  {},
  { ecosystem: 'npm' },
  { ecosystem: 'pypi' },
  { ecosystem: 'npm', name: 'a' },
  npm('a'),
  npm('b'),
] as const;

const shares: FaultShares = {
  conflict: 8,
  throttling: 4,
  lostAnswer: 4,
  lateWrite: 2,
  deathBefore: 3,
  deathAfter: 3,
};

/** Refusals, and what was injected: all else is a fault of the registry. */
const isExpected = (error: unknown): boolean =>
  isInjected(error) ||
  error instanceof RegistryError ||
  (error instanceof Error && /^\d+ of what was due failed/.test(error.message));

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
  for (const id of versions) {
    await submitPackage(id, writeContext());
    await decidePackage(id, { to: 'approved', by: 'ana' }, writeContext());
  }
});
afterEach(() => engine.close());

/** One thing that somebody or the clock does. */
const act = async (random: Random, now: Date): Promise<unknown> => {
  const id = random.pick(ids);
  const version = random.pick(versions);
  const expires_at = new Date(now.getTime() + (1 + random.below(20)) * 60_000).toISOString();
  switch (random.below(8)) {
    case 0:
    case 1:
      return accept(id, { ...random.pick(scopes), expires_at }, now);
    case 2:
      return withdraw(id, 1 + random.below(6), now);
    case 3:
    case 4:
      return scan(
        version,
        ids.filter(() => random.below(2) > 0).map((one) => ({ id: one })),
      ).then(() => index(version, now));
    case 5:
      return index(version, now);
    default:
      return work(now);
  }
};

const tryTo = async (action: Promise<unknown>): Promise<void> => {
  try {
    await action;
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
};

/** Lets the streams and the clock come to an end, without faults. */
const settle = async (now: Date): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    for (const version of versions) await index(version, now);
    await work(now);
  }
};

const toNames = (acceptances: readonly Pick<Acceptance, 'id' | 'number'>[]): string[] =>
  acceptances.map(({ id, number }) => `${id} ${number}`).sort();

const readAll = async () => {
  const live = (await Promise.all(ids.map(listAcceptances))).flat();
  const lists = await Promise.all(ids.map((id) => listEndedAcceptances(id, 1000)));
  return { live, ended: lists.flat() };
};

/** Each live acceptance that is about a version which has the vulnerability is on it, and none that ended is. */
const checkVersion = async (
  version: PackageId,
  { live, ended }: { live: Acceptance[]; ended: EndedAcceptance[] },
  now: Date,
): Promise<void> => {
  const file = await readReviewFile(version);
  const key = toVersionKey(version);
  const marks = toNames(file.acceptances);
  for (const acceptance of live) {
    const affected = await listAffected(acceptance.id, { count: 100 });
    const isAffected = affected.some(({ k }) => k === key);
    const [name = ''] = toNames([acceptance]);
    if (isAffected && isInScope(acceptance, version)) expect(marks).toContain(name);
    if (!isInScope(acceptance, version)) expect(marks).not.toContain(name);
  }
  const over = new Set(toNames(ended));
  expect(marks.filter((mark) => over.has(mark))).toEqual([]);
  const marked = await Promise.all(
    [...live, ...ended].map(async (one) => {
      const page = await listMarked(one, { count: 100 });
      return page.some((id) => toVersionKey(id) === key) ? [one] : [];
    }),
  );
  expect(toNames(marked.flat())).toEqual(marks);
  // What was counted when it was written holds at the moment, too.
  const standing = summarize(file.sources, listEntries(file), now);
  expect(file.head.counts).toEqual(standing.counts);
  const row = makeAttentionRow(version, { ...file.head, ...standing }, viewpoint(now));
  expect(file.head.attention).toBe(row?.k ?? null);
};

const checkCounters = async ({ live, ended }: Awaited<ReturnType<typeof readAll>>) => {
  for (const id of ids) {
    const ofId = (all: readonly Acceptance[]) => all.filter((one) => one.id === id);
    const numbers = ofId([...live, ...ended]).map(({ number }) => number);
    expect((await readAcceptanceCounter(id))?.live ?? 0).toBe(ofId(live).length);
    // None was left out, and none given twice.
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
  }
  const global = (await readReviews()).find(({ v }) => v === '#acceptances');
  expect(global?.['live'] ?? 0).toBe(live.filter(({ name }) => name === null).length);
};

const checkRecords = async ({ live, ended }: Awaited<ReturnType<typeof readAll>>) => {
  const name = ({ vulnerability, acceptance }: { vulnerability?: string; acceptance?: number }) =>
    `${vulnerability} ${acceptance}`;
  const accepted = await readRecords('vulnerability.accepted');
  expect(accepted.map(name).sort()).toEqual(toNames([...live, ...ended]));
  expect((await readRecords('acceptance.ended')).map(name).sort()).toEqual(toNames(ended));
};

it.each(Array.from({ length: histories(3) }, (_, at) => at + 1))(
  'acceptances are on every version that they are about and on no other, whatever goes wrong: %i',
  async (seed) => {
    const random = createRandom(seed);
    await withFaults(
      random,
      async () => {
        for (let step = 0; step < 25; step += 1) {
          const now = inMinutes(step);
          const width = 1 + random.below(3);
          await Promise.all(Array.from({ length: width }, () => tryTo(act(random, now))));
        }
      },
      shares,
    );
    const now = inMinutes(30);
    await settle(now);

    const all = await readAll();
    expect(all.live.length + all.ended.length).toBeGreaterThan(3);
    for (const version of versions) await checkVersion(version, all, now);
    await checkCounters(all);
    await checkRecords(all);
    expect(
      (await readReviews()).filter(
        ({ v }) => v === '#due-acceptance' || v === '#due-acceptance-over',
      ),
    ).toEqual([]);
  },
);

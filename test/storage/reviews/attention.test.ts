import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttentionQuery } from '../../../shared/api/schemas/attention-query.ts';
import type { AttentionReason } from '../../../shared/domain/review/attention.ts';
import { noCounts } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { withReadBudget } from '../../../shared/storage/dynamodb/read-budget.ts';
import { type AttentionItem, listAttention } from '../../../shared/storage/reviews/attention.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { inMinutes } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import { put } from '../integrity/reviewed-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

interface Attended {
  readonly rank: number | '-';
  readonly from: number;
  readonly until?: number | null;
  readonly reasons?: readonly AttentionReason[];
}

/** Puts the row of a version whose scans fail from some minutes on; a lower rank is worse, and `-` is a recall. */
const attend = (
  name: string,
  { rank, from, until = null, reasons = ['scan_failed'] }: Attended,
) => {
  const since = inMinutes(from).toISOString();
  const row: AttentionItem = {
    v: '#attention',
    k: `${rank}${since}#npm#${name}#1.0.0`,
    since,
    expires_at: until === null ? null : inMinutes(until).toISOString(),
    severity: noCounts,
    reasons,
    ...{ ecosystem: 'npm', name, version: '1.0.0' },
  };
  return put('reviews', row);
};

/** Reads all pages of a list. */
const listAll = async (query: Partial<AttentionQuery>) => {
  const read = (after?: string) =>
    listAttention({ limit: 100, ...query, ...(after && { after }) }, inMinutes(0));
  const pages = [await read()];
  for (let last = pages[0]; last?.next; last = pages.at(-1)) pages.push(await read(last.next));
  return pages;
};

const nameOf = ({ name }: { readonly name: string }): string => name;

describe('what needs attention', () => {
  it('costs nothing more for all that will need it only later', async () => {
    const sleeping = Array.from({ length: 250 }, (_, at) => at);
    await runInParallel(sleeping, 8, (at) => attend(`sleeping-${at}`, { rank: at % 5, from: 60 }));

    const { result, calls, readUnits, roundTrips } = await measure(() =>
      listAttention({ limit: 100 }, inMinutes(0)),
    );

    expect(result).toEqual({ attention: [], looked_at: 0, complete: true, next: null });
    // An empty query of each rank.
    expect({ calls, readUnits, roundTrips }).toEqual({ calls: 6, readUnits: 6, roundTrips: 1 });
  });

  it('shows 100 of many versions in one round trip, also within the read budget of a request', async () => {
    const all = Array.from({ length: 300 }, (_, at) => at);
    await runInParallel(all, 8, (at) => attend(`needing-${at}`, { rank: at % 2, from: -at }));

    const { result, calls, readUnits, roundTrips } = await measure(() =>
      withReadBudget(() => listAttention({ limit: 100 }, inMinutes(0))),
    );
    const further = await measure(() => listAttention({ limit: 250 }, inMinutes(0)));

    const oldestFirst = all.filter((at) => at % 2 === 0).toReversed();
    expect(result.attention.map(nameOf)).toEqual(
      oldestFirst.slice(0, 100).map((at) => `needing-${at}`),
    );
    expect({ calls, roundTrips }).toEqual({ calls: 6, roundTrips: 1 });
    // A page of each of two ranks, and an empty query of each other rank.
    expect(readUnits).toBeLessThanOrEqual(2 * 6 + 4);
    expect(further.result.attention.map(nameOf)).toHaveLength(250);
    expect(further.roundTrips).toBe(2);
  });

  it('comes page by page, recalled versions and the worst first, whatever sleeps or has run out between', async () => {
    await attend('medium', { rank: 2, from: -1 });
    await attend('from-now', { rank: 0, from: 0 });
    await attend('critical', { rank: 0, from: -5 });
    await attend('unrated', { rank: 4, from: -9 });
    await attend('sleeping', { rank: 0, from: 1 });
    await attend('run-out', { rank: 1, from: -2, until: -1 });
    await attend('recalled', { rank: '-', from: -1 });
    await attend('older', { rank: 2, from: -3, until: 1 });

    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await listAttention({ limit: 1, ...(after && { after }) }, inMinutes(0));
      pages.push(page.attention.map(nameOf).join());
      after = page.next ?? undefined;
    } while (after);

    expect(pages).toEqual(['recalled', 'critical', 'from-now', 'older', 'medium', 'unrated']);
    const all = await listAttention({ limit: 6 }, inMinutes(0));
    expect([all.attention.map(nameOf), all.next]).toEqual([pages, null]);
  });

  it('is filtered by reason, ecosystem and name, with the number of rows that a request looked at', async () => {
    await attend('left-pad', { rank: 0, from: -3 });
    await attend('right-pad', { rank: 1, from: -2, reasons: ['yanked', 'scan_failed'] });
    await attend('other', { rank: 3, from: -1, reasons: ['deprecated'] });
    const list = async (query: Partial<AttentionQuery>) =>
      (await listAll({ limit: 1, ...query })).map(({ attention, looked_at, complete }) => [
        attention.map(nameOf).join(),
        looked_at,
        complete,
      ]);

    expect(await list({ reason: 'yanked' })).toEqual([['right-pad', 3, true]]);
    expect(await list({ search: ' PAD' })).toEqual([
      ['left-pad', 1, false],
      ['right-pad', 2, true],
    ]);
    expect(await list({ ecosystem: 'pypi' })).toEqual([['', 3, true]]);
  });

  it('is read in parts of 2,000 rows where a filter leaves out most', async () => {
    const all = Array.from({ length: 2500 }, (_, at) => at);
    await runInParallel(all, 20, (at) => attend(`many-${at}`, { rank: at % 5, from: -at - 1 }));
    await attend('last', { rank: 4, from: 0 });

    const first = await measure(() =>
      withReadBudget(() => listAttention({ limit: 100, search: 'last' }, inMinutes(0))),
    );
    const pages = await listAll({ search: 'last' });

    expect(first.result).toMatchObject({ attention: [], complete: false });
    expect(first.result.looked_at).toBeGreaterThanOrEqual(2000);
    expect(first.readUnits).toBeLessThanOrEqual(150);
    expect(pages.flatMap(({ attention }) => attention.map(nameOf))).toEqual(['last']);
    expect(pages.reduce((sum, { looked_at }) => sum + looked_at, 0)).toBe(2501);
  });

  it('is not there behind the last of all', async () => {
    await attend('unrated', { rank: 4, from: -9 });

    const after = `4${inMinutes(1).toISOString()}#npm#left-pad#1.0.0`;
    expect(await listAttention({ limit: 5, after }, inMinutes(0))).toMatchObject({ attention: [] });
  });
});

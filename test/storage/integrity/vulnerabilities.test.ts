import { describe, expect, it } from 'vitest';
import type { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { listVersion } from '../../../shared/storage/vulnerabilities/list-version.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { decideKnown, scanKnown, submitKnown } from '../vulnerabilities/known-versions.ts';
import { pickListed, sortItems } from '../vulnerabilities/oracle.ts';
import {
  findReview,
  indexReviews,
  nothing,
  put,
  readAll,
  remove,
  runCheck,
} from './reviewed-registry.ts';

const enoughTime = { remainingMs: () => 10_000 };

const has = (number: number, known_exploited = false) => ({
  id: `CVE-2026-000${number}`,
  aliases: [`GHSA-aaaa-bbbb-000${number}`],
  severity: 'high' as const,
  isHarmless: false,
  known_exploited,
});

const one = '#vuln#CVE-2026-0001';
const alias = '#vuln#GHSA-AAAA-BBBB-0001';
const first = 'npm#first#1.0.0';

const fill = async (): Promise<void> => {
  for (const name of ['first', 'second']) {
    const submitted = await submitKnown(name);
    const scanned = await scanKnown(submitted, [has(1), has(2, true)]);
    if (name === 'first') await decideKnown(scanned, 'approved');
    await listVersion(toVersionKey(scanned), enoughTime);
  }
  await submitKnown('clean');
  await indexReviews();
};

beginEachWith(fill);

const change =
  (v: string, k: string, changes: object): (() => Promise<unknown>) =>
  async () =>
    put('reviews', { ...(await findReview(v, k)), ...changes });

const lose = (v: string, k: string) => (): Promise<unknown> => remove('reviews', { v, k });

const listPlace = '199.9#CVE-2026-0001';
const none = { pending: 0, approved: 0, rejected: 0 };

const damages: readonly [string, Partial<IntegrityReport['found']>, () => Promise<unknown>][] = [
  ['a lost row', { wrong_listing: 1, wrong_vulnerability: 1 }, lose(one, first)],
  [
    'a row of another status',
    { wrong_listing: 1, wrong_vulnerability: 1 },
    change(alias, first, { status: 'rejected' }),
  ],
  [
    'a row of a version that has it not',
    { orphaned_listing: 1, wrong_vulnerability: 1 },
    change(one, first, { k: 'npm#clean#1.0.0', name: 'clean' }),
  ],
  [
    'a row of no version',
    { orphaned_listing: 1, wrong_vulnerability: 1 },
    change(one, first, { k: 'npm#nobody#1.0.0', name: 'nobody' }),
  ],
  ['a forgotten mergedScan', { wrong_listing: 1 }, lose(first, 'synced')],
  ['a lost counter', { wrong_vulnerability: 1, orphaned_vulnerability: 2 }, lose(one, '#')],
  ['a wrong count', { wrong_vulnerability: 1 }, change(one, '#', { statuses: none })],
  [
    'a count of nothing',
    { wrong_vulnerability: 1 },
    change(one, '#', { v: '#vuln#CVE-1999-0001' }),
  ],
  ['a lost row of a list', { wrong_vulnerability: 1 }, lose('#vulns#all', listPlace)],
  [
    'a row of a list that says something else',
    { wrong_vulnerability: 1 },
    change('#vulns#approved', listPlace, { summary: 'Nothing to see here' }),
  ],
  [
    'a row at another place of a list',
    { orphaned_vulnerability: 1 },
    change('#vulns#all', listPlace, { k: '099.9#CVE-2026-0001' }),
  ],
  [
    'a row in a list to which it does not belong',
    { orphaned_vulnerability: 1 },
    change('#vulns#all', listPlace, { v: '#exploited#all' }),
  ],
];

describe('the integrity check of vulnerability lists', () => {
  it('finds nothing where nothing is wrong, and changes nothing', async () => {
    const before = await readAll('reviews');

    const report = await runCheck(true);

    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0, unjudged: 0 });
    // Three review states, two of them pending; three rows by license, and one by severity.
    const reviews = 3 + 2 + 3 + 1;
    // Two heads with scans, four ids with two rows each, and the lists: two of all and of approved, one of each exploited.
    // The name of an approved version, and its row.
    const names = 2;
    // The head of its pack.
    const packs = 1;
    expect(report.checked).toMatchObject({ listings: 2 + 4 + 8 + 6 + reviews + names + packs });
    expect(await readAll('reviews')).toEqual(before);
  });

  it.each(damages)('finds %s and repairs it', async (_, found, damage) => {
    const before = pickListed(await readAll('reviews'));
    await damage();

    const seen = await runCheck(false);
    await runCheck(true);
    const again = await runCheck(false);

    expect(seen).toMatchObject({ found: { ...nothing, ...found }, repaired: 0 });
    expect(again).toMatchObject({ found: nothing, unjudged: 0 });
    expect(sortItems(pickListed(await readAll('reviews')))).toEqual(sortItems(before));
  });

  it('takes what was accepted for nothing that is listed', async () => {
    await put('reviews', { v: '#vuln#CVE-1999-0001', k: '#acceptances', live: 1 });
    await put('reviews', { v: one, k: '#acceptance#1', reason: 'a test' });

    expect(await runCheck(true)).toMatchObject({ found: nothing, repaired: 0 });
  });
});

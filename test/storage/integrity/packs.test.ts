import { describe, expect, it, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { approveWith, decide } from '../../ecosystems/gate/keep.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { makeNoise } from '../packs/approved-packages.ts';
import { indexReviews, nothing, put, readAll, remove } from './reviewed-registry.ts';

const npm = (version: string) => ({ ecosystem: 'npm', name: 'lib', version }) as const;
const versions = Array.from({ length: 5 }, (_, at) => `1.${at}.0`);
const head = { v: '#pack#npm#lib', k: 'h' };

const fill = async (): Promise<void> => {
  for (const version of versions) {
    const dist = { tarball: 'https://x.example/x', integrity: 'sha512-AAAA' };
    const filler = makeNoise(version, 900);
    await approveWith(npm(version), {
      kind: 'npm',
      version: { name: 'lib', version, dist, filler },
    });
  }
  await indexReviews();
};
beginEachWith(fill);

/** Runs the check as it is: no worker packs in between. */
const runCheck = (repair: boolean): Promise<IntegrityReport> =>
  checkIntegrity(IntegrityReport.parse({ repair }), defaultLayout, { remainingMs: () => 60_000 });

const ofPack = async (): Promise<StoredItem[]> =>
  (await readAll('reviews')).filter(({ v }) => v === head.v);

const change = (kind: string, changes: object) => async () => {
  for (const item of await ofPack()) {
    if (String(item['k']).startsWith(kind)) await put('reviews', { ...item, ...changes });
  }
};

const context = () => ({
  base: 'https://gate.example.com/npm',
  files: { origin: 'https://registry.example.com', isSpread: false, places: [] },
  inquiries: { isScanning: true, isCollectingFacts: true },
  ...{ own: [], freeze: undefined, now: new Date() },
});

const findHead = async (): Promise<StoredItem> => (await ofPack()).find(({ k }) => k === 'h') ?? {};

const damages: readonly [string, Partial<IntegrityReport['found']>, () => Promise<unknown>][] = [
  ['a lost head', { wrong_pack: 1, orphaned_pack_part: 0 }, () => remove('reviews', head)],
  ['a stale pack', { wrong_pack: 0 }, () => decide(npm('1.1.0'), 'rejected')],
  [
    'a pack without a version',
    { wrong_pack: 1 },
    async () => {
      const { segments, ...others } = await findHead();
      await put('reviews', { ...others, segments: Object(segments).slice(1) });
    },
  ],
  ['a lost segment', { wrong_pack: 1 }, change('s#', { packed: Buffer.from('x') })],
  ['a lost list', { wrong_pack: 1 }, change('l#', { packed: Buffer.from('x') })],
  ['another format', { wrong_pack: 1 }, change('h', { format: 0 })],
  ['a wrong expiry', { wrong_pack: 0 }, change('h', { first_expiry: '2026-01-01T00:00:00.000Z' })],
  [
    'a left-over segment',
    { orphaned_pack_part: 1 },
    () =>
      put('reviews', { ...head, k: 's#old', at: '2026-01-01T00:00:00.000Z', packed: Buffer.of(1) }),
  ],
];

describe('the integrity check of packs', () => {
  it('finds nothing where nothing is wrong, nor a segment that a worker may be writing', async () => {
    const at = new Date().toISOString();
    await put('reviews', { ...head, k: 's#new', at, packed: Buffer.of(1) });
    const before = await ofPack();

    const report = await runCheck(true);

    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0, unjudged: 0 });
    expect(await ofPack()).toEqual(before);
  });

  it.each(damages)('finds %s and repairs it', async (_, found, damage) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await damage();

    const seen = await runCheck(false);
    await runCheck(true);
    const again = await runCheck(false);
    const answer = await serveNpm('lib', context());

    const { wrong_pack, orphaned_pack_part } = { ...nothing, ...found };
    expect(seen.found).toMatchObject({ wrong_pack, orphaned_pack_part });
    expect(again.found).toMatchObject({ wrong_pack: 0, orphaned_pack_part: 0 });
    expect(Object.keys(Object(answer).document.versions).length).toBeGreaterThanOrEqual(4);
    vi.restoreAllMocks();
  });
});

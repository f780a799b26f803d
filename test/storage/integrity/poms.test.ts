import { describe, expect, it } from 'vitest';
import type { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { readReviews } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import {
  expectRows,
  makePom,
  maven,
  publish,
  readPomRows,
  reject,
  sortRows,
  tell,
} from '../poms/leaning-versions.ts';
import { findReview, indexReviews, nothing, put, remove, runCheck } from './reviewed-registry.ts';

const [parent, bom] = [makePom('org.acme:parent:7'), makePom('org.acme:bom:3')];
const [lib, second, gone] = [maven('lib'), maven('second'), maven('gone')];
const key = toVersionKey(lib);
const parentRow = { v: '#pom#org.acme:parent:7', k: key };

const fill = async (): Promise<void> => {
  await publish(lib, { parents: [parent], boms: [bom] });
  await publish(second, { parents: [parent] });
  await publish(gone, { parents: [bom] });
  for (const id of [lib, second, gone]) await tell(id);
  await reject(gone);
  await tell(gone);
};

beginEachWith(fill);

const change = (v: string, k: string, changes: object) => async () =>
  put('reviews', { ...(await findReview(v, k)), ...changes });

const damages: readonly [string, Partial<IntegrityReport['found']>, () => Promise<unknown>][] = [
  ['a lost row', { wrong_pom_listing: 1 }, () => remove('reviews', parentRow)],
  [
    'a row with other checksums',
    { wrong_pom_listing: 1 },
    change(parentRow.v, key, { checksums: { sha1: 'f'.repeat(40) } }),
  ],
  ['a lost list', { wrong_pom_listing: 1 }, () => remove('reviews', { v: key, k: '#poms' })],
  [
    'a list that was never settled',
    { wrong_pom_listing: 1 },
    change(key, '#poms', { settled: false }),
  ],
  ['a list of other facts', { wrong_pom_listing: 1 }, change(key, '#poms', { digest: 'others' })],
  [
    'a list of a version that is not approved any more',
    { wrong_pom_listing: 1 },
    change(toVersionKey(gone), '#poms', { digest: 'old' }),
  ],
  [
    'a row of a version that does not lean on it',
    { orphaned_pom_listing: 1 },
    () => put('reviews', { v: '#pom#org.acme:other:1', k: key, checksums: {} }),
  ],
  [
    'a row of a version that is not approved any more',
    { orphaned_pom_listing: 1 },
    () => put('reviews', { v: '#pom#org.acme:bom:3', k: toVersionKey(gone), checksums: {} }),
  ],
  [
    'a row of no version',
    { orphaned_pom_listing: 1 },
    () => put('reviews', { ...parentRow, k: 'maven#org.acme:nobody#1', checksums: {} }),
  ],
  [
    'a row of what can be no version',
    { orphaned_pom_listing: 1 },
    () => put('reviews', { ...parentRow, k: '?', checksums: {} }),
  ],
];

describe('the integrity check of the POMs that versions lean on', () => {
  it('finds nothing where nothing is wrong, and changes nothing', async () => {
    await indexReviews();
    const before = await readReviews();

    const report = await runCheck(true);

    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0, unjudged: 0 });
    const reviewStates = 3;
    // Two approved versions and a list of one that was, and three rows.
    // The names of the approved versions, and the rows of these names.
    const names = 2 + 2;
    // The heads of the packs.
    const packs = 3;
    expect(report.checked).toMatchObject({ listings: packs + 3 + 3 + reviewStates + names });
    expect(await readReviews()).toEqual(before);
  });

  it.each(damages)('finds %s and repairs it', async (_, found, damage) => {
    await damage();

    const seen = await runCheck(false);
    await runCheck(true);
    const again = await runCheck(false);

    expect(seen).toMatchObject({ found: { ...nothing, ...found }, repaired: 0 });
    expect(again).toMatchObject({ found: nothing, unjudged: 0 });
    expect(sortRows(await readPomRows())).toEqual(
      expectRows([lib, [parent, bom]], [second, [parent]]),
    );
  });
});

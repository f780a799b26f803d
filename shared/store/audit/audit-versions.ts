import { isDeepStrictEqual } from 'node:util';
import type { CatalogueKey } from '../catalogue/keys.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { type CatalogueRow, makeRows, rowsTable } from '../catalogue/rows.ts';
import { parseOrdinal } from '../packages/keys.ts';
import { raiseNewestOrdinal, readNewestOrdinal } from '../packages/ordinals.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { batchGet, getItem, scanPage } from '../read.ts';
import type { ItemKey } from '../table.ts';
import { checkItem, putItem } from '../write.ts';
import type { AuditContext } from './findings.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const versionsAtATime = 100;
const tries = 3;

/** A row's key as text, to look it up and to name it. */
export const formatKey = ({ p, o }: CatalogueKey): string => `${p} ${o}`;

const pickRowKey = ({ p, o }: CatalogueKey) => ({ p, o });

const pickVersionKey = ({ name_key, version_key }: PackageItem) => ({ name_key, version_key });

/** Every row that a package version must have. */
export const expectRows = (item: PackageItem, layout: CatalogueLayout): CatalogueRow[] =>
  makeRows({ ...item, ordinal: parseOrdinal(item.ordinal) }, layout);

interface Difference {
  readonly expected: CatalogueRow;
  readonly isMissing: boolean;
}

const findDifferences = (
  expected: readonly CatalogueRow[],
  stored: ReadonlyMap<string, unknown>,
): Difference[] =>
  expected.flatMap((row) => {
    const found = stored.get(formatKey(row));
    return isDeepStrictEqual(found, row) ? [] : [{ expected: row, isMissing: found === undefined }];
  });

const readStoredRows = async (rows: readonly CatalogueRow[]): Promise<Map<string, unknown>> => {
  const stored = await batchGet(rowsTable, rows.map(pickRowKey));
  return new Map(stored.map((row) => [formatKey(row), row]));
};

const readVersion = (item: PackageItem): Promise<PackageItem | undefined> =>
  getItem(packagesTable, pickVersionKey(item));

/** Puts rows in the place of what is there, unless the version was decided meanwhile: then its own writes were right. */
const putRows = (item: PackageItem, rows: readonly CatalogueRow[], { deadline }: AuditContext) =>
  transactUnlessChanged(
    [
      checkItem(packagesTable, pickVersionKey(item), {
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': item.revision },
      }),
      ...rows.map((row) => putItem(rowsTable, row)),
    ],
    deadline,
  );

/** Looks again at one version whose rows differed: was it only decided between two reads? */
const auditDoubtfulVersion = async (
  doubtful: PackageItem,
  context: AuditContext,
): Promise<void> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await readVersion(doubtful);
    if (!before) return;
    const expected = expectRows(before, context.layout);
    const wrong = findDifferences(expected, await readStoredRows(expected));
    if (wrong.length === 0) return;
    const after = await readVersion(doubtful);
    if (after?.revision !== before.revision) continue;
    const name = `${before.ecosystem} ${before.name} ${before.version}`;
    for (const { isMissing, expected: row } of wrong) {
      context.tally.find(isMissing ? 'missing_row' : 'wrong_row', `${name} (${formatKey(row)})`);
    }
    const rows = wrong.map(({ expected: row }) => row);
    if (context.repair && (await putRows(before, rows, context))) {
      context.tally.repair(rows.length);
    }
    return;
  }
  context.tally.leaveUnjudged();
};

/** An ordinal counter behind the versions would draw places that are taken. */
const auditOrdinalCounter = async (
  versions: readonly PackageItem[],
  context: AuditContext,
): Promise<void> => {
  const highest = Math.max(0, ...versions.map(({ ordinal }) => parseOrdinal(ordinal)));
  const drawn = await readNewestOrdinal();
  if (drawn >= highest) return;
  const isNew = context.tally.find('wrong_counter', 'the ordinal counter is behind the versions');
  if (!context.repair) return;
  const isRaised = await transactUnlessChanged([raiseNewestOrdinal(highest)], context.deadline);
  if (isRaised && isNew) context.tally.repair(1);
};

/**
 * Compares the rows of some package versions with what they must be.
 * @returns where to go on; undefined after the last version
 */
export const auditVersions = async (
  after: ItemKey | undefined,
  context: AuditContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(packagesTable, after, versionsAtATime);
  // The counter of ordinals stands in the same table.
  const versions = page.items.filter(({ ordinal }) => ordinal);
  const expected = versions.map((item) => expectRows(item, context.layout));
  const stored = await readStoredRows(expected.flat());
  for (const [at, item] of versions.entries()) {
    if (findDifferences(expected[at] ?? [], stored).length > 0)
      await auditDoubtfulVersion(item, context);
  }
  await auditOrdinalCounter(versions, context);
  context.tally.check('versions', versions.length);
  return page.next;
};

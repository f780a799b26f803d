import type { CatalogueRow } from '../catalogue/rows.ts';
import { scanPage } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { readNewestSequenceNumber } from '../packages/submission-counter.ts';
import { parseSequenceNumber } from '../packages/version-keys.ts';
import { findVersion } from '../packages/write-version.ts';
import { checkDueRows } from './check-due-rows.ts';
import { raiseSequenceCounter } from './check-ordinals.ts';
import { checkHeads } from './check-review-states.ts';
import { checkVersionCounts } from './check-version-counts.ts';
import { hasItsIndexKeys, mendVersion } from './repair-version.ts';
import type { CheckContext } from './tally.ts';
import { checkVersionRows, expectRows, hasItsRows, readStoredRows } from './version-rows.ts';

const versionsAtATime = 100;

/** Counters stand in the same table, at keys that no version has. */
const isVersion = ({ version_key }: PackageItem): boolean => !version_key.startsWith('#');

/** No registry draws so many places before the counter that counts them is written. */
const farBeyond = 2 ** 30;

/** Whether a version says that it stands where no other is near, and no row of it does. */
const isAstray = async (
  version: PackageItem,
  newest: number,
  { layout }: CheckContext,
): Promise<boolean> => {
  if (parseSequenceNumber(version.ordinal) <= newest + farBeyond) return false;
  const [browseRow] = expectRows(version, layout);
  const [stored] = (await readStoredRows([browseRow])).values();
  return stored?.n !== version.name || stored.v !== version.version;
};

/** Mends the keys of versions. Resolves to those whose places can be relied on. */
const checkIndexKeys = async (
  versions: readonly PackageItem[],
  context: CheckContext,
): Promise<PackageItem[]> => {
  const newest = (await readNewestSequenceNumber()) ?? 0;
  const isSound = async (version: PackageItem): Promise<boolean> =>
    hasItsIndexKeys(version) && !(await isAstray(version, newest, context));
  const sound: PackageItem[] = [];
  for (const version of versions) {
    if (await isSound(version)) sound.push(version);
    else {
      await mendVersion('wrong_index_key', version, context);
      const mended = await findVersion(version);
      if (mended && (await isSound(mended))) sound.push(mended);
    }
  }
  return sound;
};

/**
 * Compares the rows of some package versions with what they must be, and what else is kept of them.
 * @returns where to go on; undefined after the last version
 */
export const checkVersions = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(packagesTable, after, versionsAtATime);
  const all = page.items.filter(isVersion);
  const versions = await checkIndexKeys(all, context);
  // Before any version is given another place, which shall not be one that is taken.
  await raiseSequenceCounter(versions, context);
  const rows: CatalogueRow[] = versions.flatMap((item) => expectRows(item, context.layout));
  const stored = await readStoredRows(rows);
  for (const item of versions.filter((version) => !hasItsRows(version, stored, context))) {
    await checkVersionRows(item, context);
  }
  await checkVersionCounts(page.items, after, context);
  await checkHeads(all, context);
  await checkDueRows(all, context);
  context.tally.check('versions', all.length);
  return page.next;
};

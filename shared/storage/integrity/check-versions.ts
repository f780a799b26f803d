import { isDeepStrictEqual } from 'node:util';
import { toPackageKey } from '../../domain/packages/package-id.ts';
import { groupBy } from '../../util/group-by.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { getItem, queryItems } from '../dynamodb/read.ts';
import { deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { readNewestSequenceNumber, sequenceNumberName } from '../packages/submission-counter.ts';
import {
  isCountsKey,
  makeCountsKey,
  type VersionCounts,
  versionCountsTable,
} from '../packages/version-counts.ts';
import { isSequenceNumber, parseSequenceNumber, toIndexKeys } from '../packages/version-keys.ts';
import { updateIndexKeys } from '../packages/write-version.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  definePhase,
  describeVersion,
  makeProblem,
  type Page,
  pickVersionKey,
  scanInPages,
  scanSegments,
  transactIfUnchanged,
} from './check.ts';
import { checkPins } from './check-pins.ts';
import { checkDueRows } from './check-review-items.ts';
import { checkReviewStates } from './check-review-states.ts';
import { checkCounterBehind } from './check-submission-counter.ts';
import { checkVersionRows, renumber } from './check-version-rows.ts';
import { expectRows, readStoredRows } from './expected-rows.ts';
import { createEvidenceReader } from './state-evidence.ts';

/** Check of versions: index keys, sequence numbers and counts, and all items that derive from each version. */

const versionsAPage = 100;

/** True for versions. Counters in the same table have version keys that begin with `#`. */
export const isVersion = ({ version_key }: PackageItem): boolean => !version_key.startsWith('#');

const hasItsIndexKeys = (version: PackageItem): boolean =>
  isSequenceNumber(version.sequence) &&
  Object.entries(toIndexKeys(version)).every(([name, key]) =>
    isDeepStrictEqual(version[name as keyof PackageItem], key),
  );

/** More sequence numbers than a registry can draw before it writes the submission counter. */
const farAhead = 2 ** 30;

/** Returns true if a sequence number is far ahead of all others, and no row of the version confirms it. */
const isAstray = async (
  version: PackageItem,
  newest: number,
  { layout }: CheckContext,
): Promise<boolean> => {
  if (parseSequenceNumber(version.sequence) <= newest + farAhead) return false;
  const [browseRow] = expectRows(version, layout);
  const [stored] = (await readStoredRows([browseRow])).values();
  return stored?.n !== version.name || stored.v !== version.version;
};

/** Sets the index keys that follow from the version; without a valid sequence number, draws a new one. */
const repairIndexKeys = (version: PackageItem, context: CheckContext): Promise<void> =>
  isSequenceNumber(version.sequence) && !hasItsIndexKeys(version)
    ? transactIfUnchanged([updateIndexKeys(version)], context.deadline)
    : renumber(version, context);

/** Checks the index keys of versions. Returns the versions with right ones, as they are after repairs. */
async function* checkIndexKeys(
  versions: readonly PackageItem[],
  context: CheckContext,
): Checks<PackageItem[]> {
  const newest = (await readNewestSequenceNumber()) ?? 0;
  const isRight = async (version: PackageItem): Promise<boolean> =>
    hasItsIndexKeys(version) && !(await isAstray(version, newest, context));
  const right: PackageItem[] = [];
  for (const version of versions) {
    const readAgain = () => getItem(packagesTable, pickVersionKey(version));
    if (await isRight(version)) {
      right.push(version);
      continue;
    }
    const example = describeVersion(version);
    const outcome = yield {
      subject: `index keys of ${example}`,
      examine: async () => {
        const current = await readAgain();
        if (!current || (await isRight(current))) return [];
        return [
          makeProblem({ kind: 'wrong_index_key', example }, () =>
            repairIndexKeys(current, context),
          ),
        ];
      },
    };
    const current = outcome === 'reported' ? undefined : await readAgain();
    if (current && (await isRight(current))) right.push(current);
  }
  return right;
}

const isCountsItem = ({ name_key, version_key }: PackageItem): boolean =>
  isCountsKey({ name_key, version_key });

type Counts = ReadonlyMap<string, number>;

/** Counts the versions among these items, by package. */
const countVersions = (items: readonly PackageItem[]): Counts => {
  const counts = new Map<string, number>();
  for (const { ecosystem, name } of items.filter((item) => !isCountsItem(item))) {
    const packageKey = toPackageKey(ecosystem, name);
    counts.set(packageKey, (counts.get(packageKey) ?? 0) + 1);
  }
  return counts;
};

const readVersions = (name: string): Promise<PackageItem[]> =>
  queryItems(packagesTable, {
    KeyConditionExpression: 'name_key = :name',
    ExpressionAttributeValues: { ':name': name },
  });

const areCountsRight = (stored: object, expected: Counts): boolean => {
  const { name_key: _, version_key: __, u, ...counts }: Partial<VersionCounts> = { ...stored };
  return (
    (expected.size === 0 || typeof u === 'number') &&
    Object.keys(counts).length === expected.size &&
    [...expected].every(([key, count]) => counts[key] === count)
  );
};

const replaceCounts = (
  name: string,
  { stored, expected }: { readonly stored: VersionCounts | undefined; readonly expected: Counts },
  { deadline }: CheckContext,
): Promise<void> => {
  const key = makeCountsKey(name);
  const u = typeof stored?.['u'] === 'number' ? stored['u'] + 1 : 1;
  const isUnchanged = ifUnchanged(stored, ['name_key', 'u']);
  const write =
    expected.size === 0
      ? deleteItem(versionCountsTable, key, isUnchanged)
      : putItem(versionCountsTable, { ...key, ...Object.fromEntries(expected), u }, isUnchanged);
  return transactIfUnchanged([write], deadline);
};

/** Returns the check of the version counts of one name: `u` shows whether a version was added while they were read. */
const checkCounts = (name: string, context: CheckContext): Check => ({
  subject: `version counts of ${name}`,
  examine: async () => {
    const stored = await getItem(versionCountsTable, makeCountsKey(name));
    const expected = countVersions(await readVersions(name));
    if (areCountsRight(stored ?? {}, expected)) return [];
    const again = await getItem(versionCountsTable, makeCountsKey(name));
    if (again?.['u'] !== stored?.['u']) throw new ConflictError();
    return [
      makeProblem({ kind: 'wrong_version_count', example: name }, () =>
        replaceCounts(name, { stored, expected }, context),
      ),
    ];
  },
});

/** Returns true if the version counts of a name can be right, as far as its items on this page show. */
const looksCounted = async (
  name: string,
  items: readonly PackageItem[],
  { after }: Page<PackageItem>,
): Promise<boolean> => {
  const stored = items.find(isCountsItem);
  if (stored) return areCountsRight(stored, countVersions(items));
  // The counts precede the versions of a name: those of a continued name were checked with the page before.
  const isContinued = after?.['name_key'] === name;
  return isContinued && (await getItem(versionCountsTable, makeCountsKey(name))) !== undefined;
};

async function* checkVersionCounts(page: Page<PackageItem>, context: CheckContext): Checks {
  for (const [name, items] of groupBy(page.items, ({ name_key }) => name_key)) {
    if (name === sequenceNumberName) continue;
    if (!(await readEventually(() => looksCounted(name, items, page)))) {
      yield checkCounts(name, context);
    }
  }
}

/** Checks each version, its rows and counts, its review state, the pin of its approval and its due row. */
export const versionsPhase = definePhase<PackageItem>({
  segments: scanSegments,
  readPage: scanInPages(packagesTable, versionsAPage),
  async *checkPage(page, context): Checks<number> {
    const all = page.items.filter(isVersion);
    const versions = yield* checkIndexKeys(all, context);
    // Before the rows: a repair of rows may draw a sequence number, which must be free.
    yield checkCounterBehind(versions, context);
    yield* checkVersionRows(versions, context);
    yield* checkVersionCounts(page, context);
    const evidence = await readEventually(() => createEvidenceReader(all));
    yield* checkReviewStates(all, evidence, context);
    // After the review states: a repair of one keeps the upstream metadata, and takes the pin of its version.
    yield* checkPins(all, evidence, context);
    yield* checkDueRows(all, context);
    return all.length;
  },
});

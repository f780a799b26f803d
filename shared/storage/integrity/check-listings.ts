import { setTimeout as delay } from 'node:timers/promises';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { listPoms } from '../poms/list-poms.ts';
import {
  checkLease,
  checkReviewState,
  findWanted,
  hasPoms,
  hasRightPoms,
  isSettled,
  pomListKey,
  readPomList,
} from '../poms/pom-list.ts';
import { deletePomRow, pomPrefix, pomRowsTable, readCoordinates } from '../poms/pom-rows.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  createRecall,
  definePhase,
  findSuspects,
  makeProblem,
  type Recall,
  scanInPages,
  scanSegments,
  seemsRight,
  transactIfUnchanged,
} from './check.ts';
import { listNameChecks } from './check-names.ts';
import { listPackChecks } from './check-packs.ts';
import { listReviewChecks } from './check-review-lists.ts';
import { type ListingItem, listVulnerabilityChecks } from './check-vulnerabilities.ts';

/** Check of the listings of versions: of reviews, by name, by vulnerability, and by the POMs that Maven resolves them with. */

const itemsAPage = 500;

const reviewsTable = defineTable<ListingItem>('reviews');

/** Returns the check that a version is listed under exactly the POMs that it depends on. */
const checkPomsOf = (versionKey: string, { deadline }: CheckContext): Check => ({
  subject: `POM listings of ${versionKey}`,
  examine: async () => {
    if (await hasRightPoms(versionKey)) return [];
    const repair = async (): Promise<void> => {
      await listPoms(versionKey, { deadline, anew: true });
    };
    return [makeProblem({ kind: 'wrong_pom_listing', example: versionKey }, repair)];
  },
});

const findCoordinates = async (versionKey: string): Promise<ReadonlySet<string>> =>
  new Set((await findWanted(await readPomList(versionKey))).keys());

/**
 * Returns the check that the version of a POM row depends on that POM. A list that is not settled may still remove
 * the row.
 */
const checkPomRow = (item: ListingItem, recall: Recall, { deadline }: CheckContext): Check => {
  const { v, k } = item;
  const coordinates = readCoordinates(item);
  const example = `${coordinates} ${k}`;
  return {
    subject: `POM row ${example}`,
    examine: async () => {
      if ((await recall(k)).has(coordinates)) return [];
      const list = await readPomList(k);
      if (!isSettled(list) || (await findWanted(list)).has(coordinates)) return [];
      if ((await getItem(pomRowsTable, { v, k })) === undefined) return [];
      const writes = [checkLease(list), checkReviewState(list), deletePomRow(k, coordinates)];
      return [
        makeProblem({ kind: 'orphaned_pom_listing', example }, () =>
          transactIfUnchanged(writes, deadline),
        ),
      ];
    },
  };
};

/** Returns a check for each version that has a review state or a list of POMs, and one for each POM row. */
const listPomChecks = (items: readonly ListingItem[], context: CheckContext): Check[] => {
  const recall = createRecall(findCoordinates);
  const versions = items.filter(
    ({ v, k, pinned }) =>
      k === pomListKey || (k === reviewStateKey && hasPoms(v) && Boolean(pinned)),
  );
  const rows = items.filter(({ v }) => v.startsWith(pomPrefix));
  return [
    ...[...new Set(versions.map(({ v }) => v))].map((v) => checkPomsOf(v, context)),
    ...rows.map((row) => checkPomRow(row, recall, context)),
  ];
};

/** Yields those checks that find a problem, after a pause in which the stream may solve it. */
export async function* confirmLater(checks: readonly Check[], settleMs: number): Checks {
  const suspects = await findSuspects(checks, seemsRight);
  if (suspects.length > 0) await delay(settleMs);
  yield* suspects;
}

/**
 * Checks that versions are in their lists of reviews and packs, and listed under their names, vulnerabilities and POMs. Also
 * checks the counters of vulnerabilities.
 */
export const listingsPhase = definePhase<ListingItem>({
  segments: scanSegments,
  readPage: scanInPages(reviewsTable, itemsAPage),
  async *checkPage({ items, after }, context): Checks<number> {
    const checks = [
      ...listVulnerabilityChecks(items, after, context),
      ...listPomChecks(items, context),
      ...listReviewChecks(items),
      ...listNameChecks(items),
      ...(await listPackChecks(items, context)),
    ];
    yield* confirmLater(checks, context.settleMs);
    return checks.length;
  },
});

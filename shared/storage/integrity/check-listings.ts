import { scanPage } from '../dynamodb/read.ts';
import { defineTable, type ItemKey } from '../dynamodb/table.ts';
import { listPomChecks } from './check-poms.ts';
import { type ListingItem, listVulnerabilityChecks } from './check-vulnerabilities.ts';
import { judgeChecks } from './judge-checks.ts';
import type { CheckContext } from './tally.ts';

const itemsAtATime = 500;

const reviewsTable = defineTable<ListingItem>('reviews');

/**
 * Looks at some of what is kept for reviews: whether each version is listed under the vulnerabilities that it has and
 * the POMs that it leans on, and under no other, and whether what is counted and shown of vulnerabilities follows from
 * the versions.
 * @returns where to go on; undefined after the last one
 */
export const checkListings = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(reviewsTable, after, itemsAtATime);
  const checks = [
    ...listVulnerabilityChecks(page.items, after, context),
    ...listPomChecks(page.items, context),
  ];
  await judgeChecks(checks, context);
  context.tally.check('listings', checks.length);
  return page.next;
};

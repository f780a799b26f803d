/** Pending versions with their rows in the lists of reviews, as the index worker writes them. */

import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { makeReviewRows } from '../../shared/storage/reviews/review-rows.ts';
import type { ReviewState } from '../../shared/storage/reviews/review-state.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { type StoredItems, storedItems } from './stored-registry.ts';

/** Returns the fields of the review state of a version that differ from those of a new one. */
type Describe = (at: number) => Partial<ReviewState>;

interface PendingVersions {
  readonly count: number;
  readonly toSubmission: (at: number) => RealisticPackage['submission'];
  readonly describe: Describe;
}

const addRows = (item: StoredItem, described: Partial<ReviewState>): StoredItem[] => {
  if (!('status' in item)) return [item];
  const head = { ...item, ...described };
  const { rows } = makeReviewRows(String(item['v']), head as unknown as ReviewState);
  return [head, ...rows.map((row) => ({ ...row }))];
};

/** Yields the items of pending versions, in the order of submission. */
export function* storedPending({
  count,
  toSubmission,
  describe,
}: PendingVersions): Generator<StoredItems> {
  const packages = Array.from({ length: count }, (_, at) => ({ submission: toSubmission(at) }));
  let at = 0;
  for (const items of storedItems(packages)) {
    const described = describe(at);
    yield { ...items, reviews: items.reviews.flatMap((item) => addRows(item, described)) };
    at += 1;
  }
}

import type { ListingDue } from '../store/reviews/listing-due.ts';
import { resumeListing } from '../store/vulnerabilities/list-version.ts';
import { catchUpAcceptances } from './catch-up-acceptances.ts';
import { hasTime, type WalkContext } from './walk.ts';

/** Goes on listing a version that has very many ids until all are done, or time runs out: then its row keeps it for the next run. */
export const continueListing = async (row: ListingDue, context: WalkContext): Promise<void> => {
  const goesOn = (): boolean => hasTime(context);
  if (!goesOn()) return;
  await resumeListing(row, {
    deadline: context.deadline,
    goesOn,
    follow: (id, ids) => catchUpAcceptances(id, ids, context),
  });
};

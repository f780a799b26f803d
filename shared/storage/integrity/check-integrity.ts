import type { IntegrityCursor, IntegrityReport } from '../../api/schemas/integrity.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { checkCounters } from './check-counters.ts';
import { checkNumbers, listLostNumbers } from './check-event-numbers.ts';
import { checkRecords } from './check-events.ts';
import { checkListings } from './check-listings.ts';
import { checkReviews } from './check-review-items.ts';
import { checkRows } from './check-rows.ts';
import { checkVersions } from './check-versions.ts';
import { mendDisplaced } from './repair-displaced.ts';
import { type CheckContext, createTally } from './tally.ts';

/** The longest that one piece of work can take: less time than this is not worth starting with. */
const reserveMs = 20_000;

/** Does one piece of work. Resolves to where the next one is; undefined when everything was looked at. */
const checkPiece = async (
  cursor: IntegrityCursor,
  context: CheckContext,
): Promise<IntegrityCursor | undefined> => {
  switch (cursor.phase) {
    case 'versions': {
      const after = await checkVersions(cursor.after, context);
      return after ? { phase: 'versions', after } : { phase: 'rows' };
    }
    case 'rows': {
      const after = await checkRows(cursor.after, context);
      return after ? { phase: 'rows', after } : { phase: 'counters' };
    }
    case 'counters': {
      const block = await checkCounters(cursor.block ?? 0, context);
      return block === undefined ? { phase: 'reviews' } : { phase: 'counters', block };
    }
    case 'reviews': {
      const after = await checkReviews(cursor.after, context);
      return after ? { phase: 'reviews', after } : { phase: 'listings' };
    }
    case 'listings': {
      const after = await checkListings(cursor.after, context);
      return after ? { phase: 'listings', after } : { phase: 'records' };
    }
    case 'records': {
      const after = await checkRecords(cursor.after, context);
      if (after) return { phase: 'records', after };
      return { phase: context.repair ? 'displaced' : 'events' };
    }
    case 'displaced': {
      const after = await mendDisplaced(cursor.after, context);
      return after ? { phase: 'displaced', after } : { phase: 'events' };
    }
    case 'events': {
      const block = await checkNumbers(cursor.block ?? 0, context);
      return block === undefined ? undefined : { phase: 'events', block };
    }
  }
};

/**
 * Continues the integrity check for as long as the deadline lets it: every package version against its rows, its head and what
 * is due of it, every row against its version, every counter against its rows, every head and due row against its
 * version, every version against the vulnerabilities and the POMs that it is listed under, every record against its event, every number of an event. Writers go on meanwhile; nothing is judged while it changes.
 */
export const checkIntegrity = async (
  request: IntegrityReport,
  layout: CatalogueLayout,
  deadline: Deadline,
  scanPolicy: ScanPolicy = defaultScanPolicy,
): Promise<IntegrityReport> => {
  const tally = createTally(request);
  const lostNumbers = listLostNumbers();
  const now = new Date();
  const { repair } = request;
  const context = { repair, layout, tally, deadline, lostNumbers, now, scanPolicy };
  let next: IntegrityCursor | undefined = request.next;
  do {
    next = await checkPiece(next, context);
  } while (next && deadline.remainingMs() > reserveMs);
  return { repair, done: next === undefined, next: next ?? request.next, ...tally.report() };
};

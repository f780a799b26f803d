import type { AuditCursor, AuditReport } from '../../api/schemas/audit.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { CatalogueLayout } from '../../storage/catalogue/layout.ts';
import type { Deadline } from '../../util/deadline.ts';
import { auditCounters } from './audit-counters.ts';
import { auditListings } from './audit-listings.ts';
import { auditNumbers, listLostNumbers } from './audit-numbers.ts';
import { auditRecords } from './audit-records.ts';
import { auditReviews } from './audit-reviews.ts';
import { auditRows } from './audit-rows.ts';
import { auditVersions } from './audit-versions.ts';
import { type AuditContext, createTally } from './findings.ts';
import { mendDisplaced } from './mend-displaced.ts';

/** The longest that one piece of work can take: less time than this is not worth starting with. */
const reserveMs = 20_000;

/** Does one piece of work. Resolves to where the next one is; undefined when everything was looked at. */
const auditPiece = async (
  cursor: AuditCursor,
  context: AuditContext,
): Promise<AuditCursor | undefined> => {
  switch (cursor.phase) {
    case 'versions': {
      const after = await auditVersions(cursor.after, context);
      return after ? { phase: 'versions', after } : { phase: 'rows' };
    }
    case 'rows': {
      const after = await auditRows(cursor.after, context);
      return after ? { phase: 'rows', after } : { phase: 'counters' };
    }
    case 'counters': {
      const block = await auditCounters(cursor.block ?? 0, context);
      return block === undefined ? { phase: 'reviews' } : { phase: 'counters', block };
    }
    case 'reviews': {
      const after = await auditReviews(cursor.after, context);
      return after ? { phase: 'reviews', after } : { phase: 'listings' };
    }
    case 'listings': {
      const after = await auditListings(cursor.after, context);
      return after ? { phase: 'listings', after } : { phase: 'records' };
    }
    case 'records': {
      const after = await auditRecords(cursor.after, context);
      if (after) return { phase: 'records', after };
      return { phase: context.repair ? 'displaced' : 'events' };
    }
    case 'displaced': {
      const after = await mendDisplaced(cursor.after, context);
      return after ? { phase: 'displaced', after } : { phase: 'events' };
    }
    case 'events': {
      const block = await auditNumbers(cursor.block ?? 0, context);
      return block === undefined ? undefined : { phase: 'events', block };
    }
  }
};

/**
 * Goes on with an audit for as long as the deadline lets it: every package version against its rows, its head and what
 * is due of it, every row against its version, every counter against its rows, every head and due row against its
 * version, every version against the vulnerabilities and the POMs that it is listed under, every record against its event, every number of an event. Writers go on meanwhile; nothing is judged while it changes.
 */
export const auditCatalogue = async (
  request: AuditReport,
  layout: CatalogueLayout,
  deadline: Deadline,
  scanPolicy: ScanPolicy = defaultScanPolicy,
): Promise<AuditReport> => {
  const tally = createTally(request);
  const lostNumbers = listLostNumbers();
  const now = new Date();
  const { repair } = request;
  const context = { repair, layout, tally, deadline, lostNumbers, now, scanPolicy };
  let next: AuditCursor | undefined = request.next;
  do {
    next = await auditPiece(next, context);
  } while (next && deadline.remainingMs() > reserveMs);
  return { repair, done: next === undefined, next: next ?? request.next, ...tally.report() };
};

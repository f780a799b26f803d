import { type RecordItem, recordsTable } from '../../storage/decisions/records.ts';
import { scanPage } from '../../storage/dynamodb/read.ts';
import type { ItemKey } from '../../storage/dynamodb/table.ts';
import { auditSequence } from './audit-sequence.ts';
import type { AuditContext } from './findings.ts';
import { findMissing, hasItsPlace, putBack } from './told-records.ts';

const recordsAtATime = 100;

const describeRecord = ({ package_key, type, at, version = '' }: RecordItem): string =>
  [type, package_key, version, at].join(' ');

/**
 * Looks at some records for those that became no event, and with the last ones at the sequence. Puts back what has its
 * place still.
 * @returns where to go on; undefined after the last record
 */
export const auditRecords = async (
  after: ItemKey | undefined,
  context: AuditContext,
): Promise<ItemKey | undefined> => {
  await auditSequence((says, last) => says < last, context);
  const page = await scanPage(recordsTable, after, recordsAtATime);
  const missing = await findMissing(page.items);
  for (const { record } of missing) context.tally.find('missing_event', describeRecord(record));
  if (context.repair) {
    for (const lost of missing.filter(hasItsPlace)) await putBack(lost, context);
  }
  context.tally.check('records', page.items.length);
  // Before anything is appended.
  if (!page.next) await auditSequence((says, last) => says > last, context);
  return page.next;
};

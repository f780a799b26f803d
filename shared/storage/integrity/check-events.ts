import { type RecordItem, recordsTable } from '../decisions/records.ts';
import { scanPage } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { checkSequence } from './check-sequence.ts';
import type { CheckContext } from './tally.ts';
import { findMissing, hasItsSequenceNumber, putBack } from './told-records.ts';

const recordsAtATime = 100;

const describeRecord = ({ package_key, type, at, version = '' }: RecordItem): string =>
  [type, package_key, version, at].join(' ');

/**
 * Looks at some records for those that became no event, and with the last ones at the sequence. Puts back what has its
 * place still.
 * @returns where to go on; undefined after the last record
 */
export const checkRecords = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  await checkSequence((says, last) => says < last, context);
  const page = await scanPage(recordsTable, after, recordsAtATime);
  const missing = await findMissing(page.items);
  for (const { record } of missing) context.tally.find('missing_event', describeRecord(record));
  if (context.repair) {
    for (const lost of missing.filter(hasItsSequenceNumber)) await putBack(lost, context);
  }
  context.tally.check('records', page.items.length);
  // Before anything is appended.
  if (!page.next) await checkSequence((says, last) => says > last, context);
  return page.next;
};

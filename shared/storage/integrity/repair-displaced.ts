import { recordsTable } from '../decisions/records.ts';
import { queryPages, scanPage } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { appendEvents, tellWrites } from '../events/sequence.ts';
import type { CheckContext } from './tally.ts';
import {
  findMissing,
  hasItsSequenceNumber,
  type IndexCheckpoint,
  putBack,
} from './told-records.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const recordsAtATime = 100;

/** Makes records, in their order, the events of lost numbers; when there are none any more, of those after the last one. */
const tellAnew = async (
  displaced: readonly IndexCheckpoint[],
  { lostNumbers, tally, deadline }: CheckContext,
): Promise<void> => {
  const left: IndexCheckpoint[] = [];
  for (const told of displaced) {
    const { value: number } = await lostNumbers.next();
    if (number === undefined) left.push(told);
    else if (await transactUnlessChanged(tellWrites([told], number), deadline)) tally.repair(1);
  }
  const notes = left.flatMap(({ note }) => note ?? []);
  await appendEvents(
    left.map(({ record }) => record),
    deadline,
    notes,
  );
  tally.repair(left.length);
};

/** Mends the events of one package or license, some at a time, from the first on: so they are told of in their order. */
const mendSubject = async (packageKey: string, context: CheckContext): Promise<void> => {
  const range = {
    IndexName: 'by-time',
    KeyConditionExpression: 'package_key = :package',
    ExpressionAttributeValues: { ':package': packageKey },
  };
  for await (const records of queryPages(recordsTable, range, { limit: recordsAtATime })) {
    const missing = await findMissing(records);
    for (const lost of missing.filter(hasItsSequenceNumber)) await putBack(lost, context);
    const displaced = missing.filter((told) => !hasItsSequenceNumber(told));
    await tellAnew(displaced, context);
    context.tally.check('displaced', displaced.length);
  }
};

/**
 * Looks at some records for those that became no event and have no place, once all others have theirs again, and tells
 * of these anew. A scan goes by versions, so each package is gone through by time.
 * @returns where to go on; undefined after the last record
 */
export const mendDisplaced = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(recordsTable, after, recordsAtATime);
  const missing = await findMissing(page.items);
  const keys = new Set(missing.map(({ record }) => record.package_key));
  for (const key of keys) await mendSubject(key, context);
  return page.next;
};

import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { ifUnchanged, setFields, updateItem, type Write } from '../dynamodb/write.ts';

/** Item that holds the number of events. There is only one. */
export interface SequenceItem {
  readonly p: string;
  readonly seq: number;
}

export const sequenceTable = defineTable<SequenceItem>('events');

export const sequenceKey = { p: '#head', s: '#head' };

/** Returns the item of the sequence; undefined before the first event. */
export const readSequence = (): Promise<SequenceItem | undefined> =>
  getItem(sequenceTable, sequenceKey);

/** Returns the last used number of the sequence; 0 if there is none. */
export const toReviewState = (seen: SequenceItem | undefined): number =>
  typeof seen?.seq === 'number' ? seen.seq : 0;

/** Returns the write that sets the number of events, if it is unchanged since it was read. */
export const setSequence = (
  seq: number,
  seen: SequenceItem | undefined,
  refuse?: () => Error,
): Write =>
  updateItem(sequenceTable, sequenceKey, {
    change: setFields({ seq }),
    guard: { ...ifUnchanged(seen, ['p', 'seq']), ...(refuse && { refuse }) },
  });

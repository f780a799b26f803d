import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { ifUnchanged, setFields, updateItem, type Write } from '../dynamodb/write.ts';

/** The one item that says how many events there are. */
export interface SequenceItem {
  readonly p: string;
  readonly seq: number;
}

export const sequenceTable = defineTable<SequenceItem>('events');

export const sequenceKey = { p: '#head', s: '#head' };

/** Undefined before the first event. */
export const readSequence = (): Promise<SequenceItem | undefined> =>
  getItem(sequenceTable, sequenceKey);

/** The last number that the head says is taken; 0 where it says none. */
export const toReviewState = (seen: SequenceItem | undefined): number =>
  typeof seen?.seq === 'number' ? seen.seq : 0;

/** Sets how many events there are, unless that changed since it was seen. */
export const setSequence = (
  seq: number,
  seen: SequenceItem | undefined,
  refuse?: () => Error,
): Write =>
  updateItem(sequenceTable, sequenceKey, {
    change: setFields({ seq }),
    guard: { ...ifUnchanged(seen, ['p', 'seq']), ...(refuse && { refuse }) },
  });

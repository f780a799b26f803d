import type { Deadline } from '../deadline.ts';
import { logEvent } from '../log.ts';
import type { RecordStream } from '../schemas/record-stream.ts';
import { type RecordItem, readRecordImage } from '../store/decisions/records.ts';
import { appendEvents } from '../store/events/sequence.ts';

/** What tells of no record will tell of none when it comes again: it is logged, and left out. */
const readRecord = ({ dynamodb }: RecordStream['Records'][number]): RecordItem[] => {
  const record = readRecordImage(dynamodb.NewImage);
  if (record) return [record];
  const { SequenceNumber, Keys } = dynamodb;
  logEvent('error', 'record_not_read', { sequence_number: SequenceNumber, keys: Keys });
  return [];
};

/** Appends an event for each record of a batch. A batch that fails comes again as it is, which does no harm. */
export const sequenceEvents = ({ Records }: RecordStream, deadline: Deadline): Promise<void> =>
  appendEvents(Records.flatMap(readRecord), deadline);

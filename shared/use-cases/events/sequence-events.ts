import type { RecordStream } from '../../platform/worker/events/record-stream.ts';
import { type RecordItem, readRecordImage } from '../../storage/decisions/records.ts';
import { appendEvents } from '../../storage/events/sequence.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';

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

import type { RecordStream } from '../../platform/worker/events/record-stream.ts';
import { type RecordItem, readRecordImage } from '../../storage/decisions/records.ts';
import { appendEvents } from '../../storage/events/sequence.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';

/** Returns the decision record of a stream record. An unreadable one is logged and left out: a retry would not help. */
const readRecord = ({ dynamodb }: RecordStream['Records'][number]): RecordItem[] => {
  const record = readRecordImage(dynamodb.NewImage);
  if (record) return [record];
  const { SequenceNumber, Keys } = dynamodb;
  logEvent('error', 'record_not_read', { sequence_number: SequenceNumber, keys: Keys });
  return [];
};

/** Appends an event for each record of a batch. Lambda repeats a failed batch; a repetition adds no duplicates. */
export const sequenceEvents = ({ Records }: RecordStream, deadline: Deadline): Promise<void> =>
  appendEvents(Records.flatMap(readRecord), deadline);

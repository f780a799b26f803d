/** Splits records into batches. */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { maxPayloadBytes } from '../lambda/messages.ts';
import type { EventSource } from '../template/model.ts';
import { identifyItem } from './stream-event.ts';

export type Batch = readonly DynamoDBRecord[];

/** Size of an event without records, in bytes. */
const envelopeBytes = Buffer.byteLength('{"Records":[]}');

const countBytes = (record: DynamoDBRecord): number =>
  Buffer.byteLength(JSON.stringify(record)) + 1;

/** Splits records into consecutive batches, limited by the mapping's batch size and by the size of an event. */
export const splitIntoBatches = (records: Batch, batchSize: number): readonly Batch[] => {
  const batches: DynamoDBRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const current = batches.at(-1);
    bytes += countBytes(record);
    if (current && current.length < batchSize && bytes <= maxPayloadBytes) current.push(record);
    else {
      batches.push([record]);
      bytes = envelopeBytes + countBytes(record);
    }
  }
  return batches;
};

/** Splits records into lanes for parallel delivery. Records of the same item share a lane, in order. */
export const splitIntoLanes = (
  records: Batch,
  { parallelizationFactor }: EventSource,
): readonly Batch[] => {
  if (parallelizationFactor === 1) return [records];
  const lanes = Map.groupBy(
    records,
    (record) =>
      createHash('md5').update(identifyItem(record)).digest().readUInt32BE() %
      parallelizationFactor,
  );
  return [...lanes.values()];
};

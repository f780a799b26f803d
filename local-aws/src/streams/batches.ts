/** Makes batches of records. */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { maxPayloadBytes } from '../lambda/messages.ts';
import type { EventSource } from '../template/model.ts';
import { identifyItem } from './stream-event.ts';

export type Batch = readonly DynamoDBRecord[];

/** What surrounds the records of an event. */
const envelopeBytes = Buffer.byteLength('{"Records":[]}');

const countBytes = (record: DynamoDBRecord): number =>
  Buffer.byteLength(JSON.stringify(record)) + 1;

/** Consecutive records, as many to a batch as the mapping wants and an event can hold. */
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

/** Records of the same item share a lane, and stay in order in it. Lanes may be delivered side by side. */
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

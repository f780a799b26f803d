import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import type { Deadline } from '../../util/deadline.ts';
import { dynamodb } from '../dynamodb/dynamodb.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { explainDelay, retryWrite } from '../dynamodb/transact.ts';
import { addToFields, setFields, updateItem, type Write } from '../dynamodb/write.ts';
import { maxSequenceNumber } from './version-keys.ts';

/** Item that counts submissions. There is only one. */
interface SubmissionCounter {
  readonly count: number;
}

const counterTable = defineTable<SubmissionCounter>('packages');

/** Key of the counter in place of a package name: no name contains `#`. */
export const sequenceNumberName = '#sequence';

const counterKey = { name_key: sequenceNumberName, version_key: sequenceNumberName };

/**
 * Returns the next sequence number, or advances the counter by `places` and returns the new value.
 * An unused number leaves a harmless gap.
 */
export const takeSequenceNumber = async (deadline: Deadline, places = 1): Promise<number> => {
  const command = new UpdateCommand({
    TableName: readTableName('packages'),
    Key: counterKey,
    ...addToFields({ count: places }),
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await retryWrite(
    (options) => dynamodb.send(command, options),
    deadline,
    explainDelay,
  );
  const sequence = Number(Attributes?.['count']);
  if (sequence <= maxSequenceNumber) return sequence;
  throw new RangeError(
    `The sequence number ${sequence} is beyond what keys can hold: run the integrity check`,
  );
};

/** Returns the newest sequence number; 0 before the first, undefined if the counter holds no number. */
export const readNewestSequenceNumber = async (): Promise<number | undefined> => {
  const counter = await getItem(counterTable, counterKey);
  if (counter === undefined) return 0;
  return typeof counter.count === 'number' ? counter.count : undefined;
};

/** Returns the write that sets the newest sequence number, if the counter is still `known`. */
export const setNewestSequenceNumber = (sequence: number, known: number | undefined): Write =>
  updateItem(counterTable, counterKey, {
    change: setFields({ count: sequence }),
    guard: {
      ExpressionAttributeNames: { '#count': 'count' },
      ...(known === undefined
        ? {
            ConditionExpression: 'NOT attribute_type(#count, :number)',
            ExpressionAttributeValues: { ':number': 'N' },
          }
        : {
            ConditionExpression: 'attribute_not_exists(#count) OR #count = :known',
            ExpressionAttributeValues: { ':known': known },
          }),
    },
  });

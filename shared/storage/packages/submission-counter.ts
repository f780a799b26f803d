import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import type { Deadline } from '../../util/deadline.ts';
import { dynamodb } from '../dynamodb/dynamodb.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { explainDelay, retryWrite } from '../dynamodb/transact.ts';
import { addToFields, setFields, updateItem, type Write } from '../dynamodb/write.ts';
import { maxSequenceNumber } from './version-keys.ts';

/** The one item that counts submissions. */
interface OrdinalCounter {
  readonly count: number;
}

const counterTable = defineTable<OrdinalCounter>('packages');

/** Stands where a name would: `#` occurs in none. */
export const sequenceNumberName = '#ordinal';

const counterKey = { name_key: sequenceNumberName, version_key: sequenceNumberName };

/**
 * Draws the next place in the order of submissions, or the one that many places further on. One that is drawn in vain
 * leaves a harmless gap.
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
  const ordinal = Number(Attributes?.['count']);
  if (ordinal <= maxSequenceNumber) return ordinal;
  throw new RangeError(
    `The ordinal ${ordinal} is beyond what keys can hold: run the integrity check`,
  );
};

/** The newest ordinal that was drawn; 0 before the first, undefined where the counter holds no number. */
export const readNewestSequenceNumber = async (): Promise<number | undefined> => {
  const counter = await getItem(counterTable, counterKey);
  if (counter === undefined) return 0;
  return typeof counter.count === 'number' ? counter.count : undefined;
};

/** Sets the newest ordinal that was drawn, unless another was drawn since `known` was read. */
export const setNewestSequenceNumber = (ordinal: number, known: number | undefined): Write =>
  updateItem(counterTable, counterKey, {
    change: setFields({ count: ordinal }),
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

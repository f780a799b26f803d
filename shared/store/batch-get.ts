import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import type { TableId } from '../resources.ts';
import { dynamodb, type Item } from './dynamodb.ts';

/** DynamoDB's own limit of keys in one call. */
const maxKeys = 100;
const patienceMs = 50;

/** Reads items by their keys, consistently, in no particular order; keys without an item are left out. */
export const batchGet = async (id: TableId, keys: readonly Item[]): Promise<Item[]> => {
  const table = tableName(id);
  const found: Item[] = [];
  // DynamoDB refuses a key that comes twice.
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  for (let at = 0; at < distinct.length; at += maxKeys) {
    let wanted: Item[] = distinct.slice(at, at + maxKeys);
    while (wanted.length > 0) {
      const { Responses, UnprocessedKeys } = await dynamodb.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
      );
      found.push(...(Responses?.[table] ?? []));
      wanted = UnprocessedKeys?.[table]?.Keys ?? [];
      // What is left over was throttled, or more than one answer holds.
      if (wanted.length > 0) await delay(Math.random() * patienceMs);
    }
  }
  return found;
};

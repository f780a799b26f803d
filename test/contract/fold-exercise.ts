import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from '../support/database.ts';
import { type Exercise, invoking } from './exercise.ts';

/** Has a counter of sequence numbers beyond those of all versions, of which a shard was copied long ago, so that it goes. */
export const foldingCounter: Exercise = async (registry, name, osv, origin) => {
  const database = databaseOf(registry);
  const { CATALOGUE_TABLE: catalogue, PACKAGES_TABLE: packages } = registry.stack.tables;
  const shard = { p: '#f000000', o: '001007', i: name, u: 1, A: 1 };
  for (const Item of [
    shard,
    { ...shard, o: '001000', f: [shard], t: 0 },
    { p: '#c', o: '00000007' },
  ]) {
    await database.send(new PutCommand({ TableName: catalogue, Item }));
  }
  await database.send(
    new UpdateCommand({
      TableName: packages,
      Key: { name_key: '#sequence', version_key: '#sequence' },
      UpdateExpression: 'ADD #count :many',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':many': 10_000 },
    }),
  );
  return invoking('run-due-work', {})(registry, name, osv, origin);
};

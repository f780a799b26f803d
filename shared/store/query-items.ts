import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb, type Item } from './dynamodb.ts';

/** Reads what a query finds, consistently: all of it, or the first `count`, in as many calls as that takes. */
export const queryItems = async (
  query: QueryCommandInput,
  count = Number.POSITIVE_INFINITY,
): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        ...query,
        ConsistentRead: true,
        ...(Number.isFinite(count) && { Limit: count - items.length }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start && items.length < count);
  return items;
};

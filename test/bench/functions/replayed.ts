/** Stands in for the client of DynamoDB where handlers are measured without it: what it would read is there at once. */
import { storedCounts, storedItem } from './stored.ts';

/** As much of a command as tells what it is. */
interface Input {
  readonly KeyConditionExpression?: string;
  readonly Limit?: number;
  readonly UpdateExpression?: string;
  readonly TransactItems?: readonly object[];
  readonly Key?: Readonly<Record<string, string>>;
}

const replay = ({ KeyConditionExpression, Limit = 1, UpdateExpression, Key }: Input): object => {
  if (KeyConditionExpression) return { Items: Array.from({ length: Limit }, () => storedItem) };
  if (UpdateExpression) return { Attributes: { count: 1 } };
  // A version that is submitted is not there yet.
  return Key?.['version_key'] === '#versions' ? { Item: storedCounts } : {};
};

export const dynamodb = {
  send: async ({ input }: { readonly input: Input }): Promise<object> => replay(input),
};

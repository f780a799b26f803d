/** Replaces the DynamoDB client with one that returns stored data at once. */
import { storedCounts, storedItem } from './stored.ts';

/** The parts of a command that identify it. */
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
  // A version does not exist before its submission.
  return Key?.['version_key'] === '#versions' ? { Item: storedCounts } : {};
};

export const dynamodb = {
  send: async ({ input }: { readonly input: Input }): Promise<object> => replay(input),
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TestRegistry } from './registry.ts';

/** A client with all permissions for a test registry's tables. */
export const databaseOf = ({ stack }: TestRegistry): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: stack.endpoints.aws,
      region: 'us-east-1',
      credentials: stack.credentials,
    }),
  );

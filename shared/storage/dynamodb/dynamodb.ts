import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addFormatCheck } from './known-format.ts';

const client = new DynamoDBClient({
  maxAttempts: 1,
  retryMode: 'standard',
  // Without the last setting, the SDK only warns about a slow request and keeps waiting.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
});
addFormatCheck(client);

/**
 * DynamoDB client, one for each function instance. Its connections outlive a request.
 * The client attempts each command once. The sender of a command decides what is retried, and for how long.
 */
export const dynamodb = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

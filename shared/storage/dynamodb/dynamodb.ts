import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * One client for each function instance; its connections outlive a request. It attempts everything once: only where a
 * command is sent is it known what may be attempted again, and for how long.
 */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 1,
    retryMode: 'standard',
    // Without the last setting the SDK only warns of a request that takes too long, and waits on.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

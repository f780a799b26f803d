import { type PreparedStack, region } from '@package-registry/local-aws';

/** Returns the environment of a function: names of tables, the address of DynamoDB, and credentials. */
export const makeEnvironment = ({
  tables,
  endpoints,
  credentials,
}: PreparedStack): Record<string, string> => ({
  ...tables,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.aws,
  AWS_REGION: region,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

/** The environment of a function's process. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credentials } from '../iam/principals.ts';
import type { LambdaFunction } from '../template/model.ts';
import { moveQueueUrls, region } from '../template/names.ts';

/** What the template gives, what Lambda sets, and where AWS is: nothing of this process's own environment. */
export const makeEnvironment = (
  { name, environment, codeDirectory, handler, memoryMb }: LambdaFunction,
  credentials: Credentials,
  awsEndpoint: string,
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, moveQueueUrls(value, awsEndpoint)]),
  ),
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_DEFAULT_REGION: region,
  AWS_ENDPOINT_URL_DYNAMODB: awsEndpoint,
  AWS_ENDPOINT_URL_DYNAMODB_STREAMS: awsEndpoint,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: awsEndpoint,
  AWS_ENDPOINT_URL_SQS: awsEndpoint,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_REGION: region,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  LAMBDA_TASK_ROOT: codeDirectory,
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
  TZ: ':UTC',
  _HANDLER: handler,
  // Halves the start-up of an instance; the runtime removes it before the function's code runs.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
});

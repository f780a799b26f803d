/** Environment variables of a function's process. */
import { env as ownEnvironment } from 'node:process';
import { compileCache } from '../compile-cache.ts';
import type { Credentials } from '../iam/principals.ts';
import type { LambdaFunction } from '../template/model.ts';
import { moveQueueUrls, region } from '../template/names.ts';

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Hosts that are reached without a proxy. */
const loopback = ['localhost', '127.0.0.1', '::1'];

/**
 * Returns the machine's variables for internet access: extra certificates and proxies. Lambda sets none of these
 * variables, but on a machine with a proxy a function needs them for outbound requests.
 */
export const readWayOut = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const pick = (names: readonly string[]) =>
    names.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  const proxies = pick(proxyVariables);
  const exceptions = environment['NO_PROXY'] ?? environment['no_proxy'];
  return Object.fromEntries([
    ...pick(['NODE_EXTRA_CA_CERTS']),
    ...proxies,
    ...(proxies.length > 0
      ? [
          ['NODE_USE_ENV_PROXY', '1'],
          ['NO_PROXY', [...(exceptions ? [exceptions] : []), ...loopback].join(',')],
        ]
      : []),
  ]);
};

/**
 * Returns a function's environment: variables of the template and of Lambda, the AWS endpoint, and internet access. Other
 * variables of this process are not passed on.
 */
export const makeEnvironment = (
  { name, environment, codeDirectory, handler, memoryMb }: LambdaFunction,
  credentials: Credentials,
  awsEndpoint: string,
): Record<string, string> => ({
  ...readWayOut(ownEnvironment),
  ...Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, moveQueueUrls(value, awsEndpoint)]),
  ),
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_DEFAULT_REGION: region,
  AWS_ENDPOINT_URL_CLOUDFORMATION: awsEndpoint,
  AWS_ENDPOINT_URL_DYNAMODB: awsEndpoint,
  AWS_ENDPOINT_URL_DYNAMODB_STREAMS: awsEndpoint,
  AWS_ENDPOINT_URL_KMS: awsEndpoint,
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
  // The runtime removes the variable before the function's code runs.
  ...compileCache,
});

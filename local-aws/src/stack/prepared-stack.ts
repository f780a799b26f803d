/** Stack without its API: functions and the AWS services behind them. */
import { type AwsHooks, startAwsProxy } from '../aws/aws-proxy.ts';
import { type Credentials, createPrincipals } from '../iam/principals.ts';
import type { Output } from '../lambda/instance.ts';
import { startInvokeApi } from '../lambda/invoke-api.ts';
import { createLambdaHost } from '../lambda/lambda-host.ts';
import type { SecretValues } from '../secrets/secret-values.ts';
import type { StackModel } from '../template/model.ts';
import { type Backend, closeAll } from './backend.ts';

/** Stack before it accepts requests. */
export interface PreparedStack {
  readonly model: StackModel;
  /** Table names by logical id, and by each environment variable that contains a table name. */
  readonly tables: Readonly<Record<string, string>>;
  readonly endpoints: {
    /** URL of the engine, without permission checks and hooks. DynamoDB Local has separate data for each access key. */
    readonly dynamodb: string;
    /** URL of CloudFormation, DynamoDB, KMS, Secrets Manager and SQS for functions, with permission checks. */
    readonly aws: string;
    /** URL of Lambda's Invoke operation, without permission checks. */
    readonly lambda: string;
  };
  /** Credentials of an administrator with all permissions at `endpoints.aws`. */
  readonly credentials: Credentials;
  /** Secrets of the stack by logical id. */
  readonly secrets: SecretValues;
  /** Invokes a function by its logical id. Rejects with an InvocationError if the function fails. */
  invoke(functionId: string, event: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface PreparationOptions {
  /** Hooks that observe or disturb the functions' AWS calls, for tests. */
  readonly hooks?: AwsHooks;
  /** Most instances of one function at the same time. */
  readonly maxInstances?: number;
  /** Milliseconds after which an instance without an event ends. Absent: a minute. */
  readonly idleMs?: number;
  /** Called with each line that a function writes, and the function's logical id. */
  readonly onLog: (source: string, line: string, output: Output) => void;
}

const defaultMaxInstances = 4;

const defaultIdleMs = 60_000;

const listTableNames = ({ tables, functions }: StackModel): Readonly<Record<string, string>> => {
  const names = Object.values(tables).map(({ id, name }): [string, string] => [id, name]);
  const told = Object.values(functions)
    .flatMap(({ environment }) => Object.entries(environment))
    .filter(([, value]) => names.some(([, name]) => name === value));
  return Object.fromEntries([...names, ...told]);
};

/** Starts the functions and their backend, without the API. */
export const prepareStack = async (
  model: StackModel,
  {
    hooks = {},
    onLog,
    maxInstances = defaultMaxInstances,
    idleMs = defaultIdleMs,
  }: PreparationOptions,
  backend: Backend,
): Promise<PreparedStack> => {
  const { dynamodb, secretsManager, secrets, keyManagement, queues, closers } = backend;
  const principals = createPrincipals(model);
  const onWrite = backend.writes.notify;
  const services = { dynamodb, secretsManager, keyManagement, queues, stack: model };
  const aws = await startAwsProxy({ ...services, principals, hooks, onWrite });
  closers.push(aws.close);
  const awsEndpoint = aws.url;
  const host = createLambdaHost({
    model,
    principals,
    awsEndpoint,
    maxInstances,
    idleMs,
    onLog,
  });
  closers.push(host.close);
  const invokeApi = await startInvokeApi({
    functions: Object.values(model.functions),
    invoke: host.invoke,
  });
  closers.push(invokeApi.close);
  return {
    model,
    tables: listTableNames(model),
    endpoints: { dynamodb: dynamodb.endpoint, aws: awsEndpoint, lambda: invokeApi.url },
    credentials: principals.administrator,
    secrets,
    invoke: host.invoke,
    close: () => closeAll(closers),
  };
};

/** The part of a stack that answers no requests yet: its functions, and what they find in AWS. */
import { type AwsHooks, startAwsProxy } from '../aws/aws-proxy.ts';
import { type Credentials, createPrincipals } from '../iam/principals.ts';
import type { Output } from '../lambda/instance.ts';
import { startInvokeApi } from '../lambda/invoke-api.ts';
import { createLambdaHost } from '../lambda/lambda-host.ts';
import type { SecretValues } from '../secrets/secret-values.ts';
import type { StackModel } from '../template/model.ts';
import { type Backend, closeAll } from './backend.ts';

/** A stack before it lets requests in. */
export interface PreparedStack {
  readonly model: StackModel;
  /** Table names by logical id, and by each environment variable that tells one to a function. */
  readonly tables: Readonly<Record<string, string>>;
  readonly endpoints: {
    /** The engine itself, which asks for no permission and tells no hook. DynamoDB Local has other data for other keys. */
    readonly dynamodb: string;
    /** DynamoDB, Secrets Manager and SQS as functions see them. */
    readonly aws: string;
    /** Lambda's Invoke operation, for everyone. */
    readonly lambda: string;
  };
  /** An administrator's, to whom `endpoints.aws` allows everything. */
  readonly credentials: Credentials;
  /** The stack's secrets by logical id. */
  readonly secrets: SecretValues;
  /** Invokes a function by its logical id. Rejects with an InvocationError when it fails. */
  invoke(functionId: string, event: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface PreparationOptions {
  /** Where tests see and disturb the functions' AWS calls. */
  readonly hooks?: AwsHooks;
  /** How many instances of one function may run at once. */
  readonly maxInstances?: number;
  /** Gets each line that a function writes, by the function's logical id. */
  readonly onLog: (source: string, line: string, output: Output) => void;
}

const defaultMaxInstances = 4;

const listTableNames = ({ tables, functions }: StackModel): Readonly<Record<string, string>> => {
  const names = Object.values(tables).map(({ id, name }): [string, string] => [id, name]);
  const told = Object.values(functions)
    .flatMap(({ environment }) => Object.entries(environment))
    .filter(([, value]) => names.some(([, name]) => name === value));
  return Object.fromEntries([...names, ...told]);
};

/** Starts the functions, with the backend behind them and nobody to send requests yet. */
export const prepareStack = async (
  model: StackModel,
  { hooks = {}, onLog, maxInstances = defaultMaxInstances }: PreparationOptions,
  backend: Backend,
): Promise<PreparedStack> => {
  const { dynamodb, secretsManager, secrets, queues, closers } = backend;
  const principals = createPrincipals(model);
  const onWrite = backend.writes.notify;
  const aws = await startAwsProxy({ dynamodb, secretsManager, queues, principals, hooks, onWrite });
  closers.push(aws.close);
  const awsEndpoint = aws.url;
  const host = createLambdaHost({ model, principals, awsEndpoint, maxInstances, onLog });
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

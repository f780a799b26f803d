/** Runs a synthesised stack on this machine: HTTP in front, DynamoDB and Secrets Manager behind, IAM between. */
import { type AwsHooks, startAwsProxy } from './aws/aws-proxy.ts';
import { type Credentials, createPrincipals } from './aws/principals.ts';
import { type Backend, type Closers, closeAll, startBackend } from './backend.ts';
import { type Background, startBackground } from './background.ts';
import { deployCustomResources } from './custom-resources.ts';
import { type DataFolder, openDataFolder } from './engine/data-folder.ts';
import { startGateway } from './gateway/gateway.ts';
import type { Output } from './lambda/instance.ts';
import { startInvokeApi } from './lambda/invoke-api.ts';
import { createLambdaHost } from './lambda/lambda-host.ts';
import type { SecretValues } from './secret-values.ts';
import type { StackModel } from './template/model.ts';
import { readStack } from './template/template.ts';

export interface LocalOptions {
  /** The cloud assembly directory that `cdk synth` wrote. */
  readonly assembly: string;
  /** Of the HTTP server; 0 for any free one. */
  readonly port: number;
  /** The folder that keeps tables and secrets, or `:memory:` to keep nothing. */
  readonly data: string | DataFolder;
  /** The value of the stack's only secret; absent: what the data folder has. */
  readonly tokens?: string;
  /** Where tests see and disturb the functions' AWS calls. */
  readonly hooks?: AwsHooks;
  /** Gets each line that a function writes, and each access log line, by logical id. Absent: our own outputs do. */
  readonly onLog?: (source: string, line: string, output: Output) => void;
  /** Changes what was read from the template before anything starts. */
  readonly transform?: (model: StackModel) => StackModel;
  /** Fills tables that are new. It runs again, on new tables, if the first start was cut short. */
  readonly seed?: (stack: Backstage) => Promise<void>;
  /** A running DynamoDB Local to use in place of the embedded engine. */
  readonly dynamodbEndpoint?: string;
  /** How many instances of one function may run at once. */
  readonly maxInstances?: number;
  /** How long the gateway waits for a function. */
  readonly integrationTimeoutMs?: number;
  /** Called when the engine ends by itself; nothing works from then on. */
  readonly onFailure?: (error: Error) => void;
}

/** A stack before it lets requests in. */
export interface Backstage {
  readonly model: StackModel;
  /** Table names by logical id, and by each environment variable that tells one to a function. */
  readonly tables: Readonly<Record<string, string>>;
  /** Where everything is allowed: the engine itself, Secrets Manager with the administrator's credentials, and Lambda. */
  readonly endpoints: {
    readonly dynamodb: string;
    readonly secretsManager: string;
    readonly lambda: string;
  };
  readonly credentials: Credentials;
  /** The stack's secrets by logical id. */
  readonly secrets: SecretValues;
  /** Invokes a function by its logical id. Rejects with an InvocationError when it fails. */
  invoke(functionId: string, event: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LocalStack extends Backstage, Background {
  /** Of the API, without a slash at its end; the stage is not part of the path. */
  readonly url: string;
}

const defaultMaxInstances = 4;

/** API Gateway's own limit. */
const defaultIntegrationTimeoutMs = 29_000;

function openFolder(data: string | DataFolder): DataFolder | undefined {
  if (typeof data !== 'string') return data;
  return data === ':memory:' ? undefined : openDataFolder(data);
}

function tableNames({ tables, functions }: StackModel): Readonly<Record<string, string>> {
  const names = Object.values(tables).map(({ id, name }): [string, string] => [id, name]);
  const told = Object.values(functions)
    .flatMap(({ environment }) => Object.entries(environment))
    .filter(([, value]) => names.some(([, name]) => name === value));
  return Object.fromEntries([...names, ...told]);
}

function defaultLog(_source: string, line: string, output: Output): void {
  process[output].write(`${line}\n`);
}

/** The functions, with the backend behind them and nobody to send requests yet. */
async function startFunctions(
  model: StackModel,
  options: LocalOptions,
  backend: Backend,
): Promise<Backstage> {
  const { dynamodb, secretsManager, secrets, watchdog, closers } = backend;
  const { hooks = {}, onLog = defaultLog, maxInstances = defaultMaxInstances } = options;
  const principals = createPrincipals(model);
  const onWrite = backend.writes.notify;
  const aws = await startAwsProxy({ dynamodb, secretsManager, principals, hooks, onWrite });
  closers.push(aws.close);
  const awsEndpoint = aws.url;
  const host = createLambdaHost({ model, principals, awsEndpoint, watchdog, maxInstances, onLog });
  closers.push(host.close);
  const invokeApi = await startInvokeApi({
    functions: Object.values(model.functions),
    invoke: host.invoke,
  });
  closers.push(invokeApi.close);
  return {
    model,
    tables: tableNames(model),
    endpoints: { dynamodb, secretsManager: awsEndpoint, lambda: invokeApi.url },
    credentials: principals.administrator,
    secrets,
    invoke: host.invoke,
    close: () => closeAll(closers),
  };
}

/** Lets requests in. */
async function openGateway(
  { model, invoke }: Backstage,
  options: LocalOptions,
  { closers }: Backend,
): Promise<string> {
  const { onLog = defaultLog } = options;
  const gateway = await startGateway({
    api: model.api,
    port: options.port,
    invoke,
    onAccessLog: (line) => onLog(model.api.id, line, 'stdout'),
    integrationTimeoutMs: options.integrationTimeoutMs ?? defaultIntegrationTimeoutMs,
  });
  closers.push(gateway.close);
  return gateway.url;
}

/**
 * Starts the stack of a cloud assembly. Several may run side by side, each with data of its own.
 * @throws {StartError} in one line: a template that cannot run here, a port or folder in use, no engine
 */
export async function startLocal(options: LocalOptions): Promise<LocalStack> {
  const { transform = (model) => model } = options;
  const closers: Closers = [];
  try {
    const folder = openFolder(options.data);
    if (folder) closers.push(folder.release);
    const model = transform(readStack(options.assembly));
    const backend = await startBackend(model, { ...options, folder, closers });
    const backstage = await startFunctions(model, options, backend);
    await deployCustomResources({ ...backstage, isNew: backend.isNew });
    if (backend.isNew) await options.seed?.(backstage);
    // After the seed: what it wrote comes with the stream as a whole, and not while half of it is there.
    const background = await startBackground(backstage, backend, {
      positionsFile: folder?.positionsFile,
      onLog: options.onLog ?? defaultLog,
    });
    // From here on a start that is cut short leaves what callers rely on, so the marker goes before they come in.
    folder?.markStarted();
    return { ...backstage, ...background, url: await openGateway(backstage, options, backend) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

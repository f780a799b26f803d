/** Runs a synthesised stack locally: API, functions, IAM, and the AWS services behind them. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, startGateway } from '../gateway/gateway.ts';
import type { GivenValues } from '../secrets/secret-values.ts';
import type { StackModel } from '../template/model.ts';
import { type ReadOptions, readStack } from '../template/template.ts';
import { type Backend, type Closers, closeAll, startBackend } from './backend.ts';
import { type Background, startBackground } from './background.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { deployCustomResources } from './deploy-custom-resources.ts';
import { preferRequests } from './prefer-requests.ts';
import { type PreparationOptions, type PreparedStack, prepareStack } from './prepared-stack.ts';
import { openDeployedProperties } from './resource-properties.ts';

export interface StackOptions extends GivenValues, ReadOptions, Partial<PreparationOptions> {
  /** Cloud assembly directory, as `cdk synth` writes it. */
  readonly assembly: string;
  /** Port of the API's HTTP server; 0 for any free port. */
  readonly port: number;
  /** Folder for tables, secrets and messages, or `:memory:` to store nothing on disk. */
  readonly data: string | DataFolder;
  /** Called with each log line of functions and of the access log, and its logical id. Absent: stdout and stderr. */
  readonly onLog?: PreparationOptions['onLog'];
  /** Changes the model of the template before the start. */
  readonly transform?: (model: StackModel) => StackModel;
  /** Fills new tables. If the first start is interrupted, `seed` runs again on new tables. */
  readonly seed?: (stack: PreparedStack) => Promise<void>;
  /** URL of a running DynamoDB Local, used instead of the embedded engine. */
  readonly dynamodbEndpoint?: string;
  /** True to let requests of the API go before events of streams and queues, for up to a second each. */
  readonly prefersRequests?: boolean;
  /** Longest wait of the gateway for a function, in milliseconds. */
  readonly integrationTimeoutMs?: number;
  /** Called with each response of the API before it is sent. */
  readonly onAnswer?: (exchange: Exchange) => void;
  /** Called when the engine ends unexpectedly. The stack does not work from then on. */
  readonly onFailure?: (error: Error) => void;
}

export interface LocalStack extends PreparedStack, Background {
  /** URL of the API, without a trailing slash and without the stage. */
  readonly url: string;
}

/** API Gateway's default limit, in milliseconds. */
const defaultIntegrationTimeoutMs = 29_000;

const writeLog: PreparationOptions['onLog'] = (_source, line, output) => {
  process[output].write(`${line}\n`);
};

const openFolder = (data: string | DataFolder): DataFolder | undefined => {
  if (typeof data !== 'string') return data;
  return data === ':memory:' ? undefined : openDataFolder(data);
};

/** Starts the API. */
const openGateway = async (
  { model, invoke }: PreparedStack,
  options: StackOptions,
  { closers }: Backend,
): Promise<string> => {
  const { port, onLog = writeLog, onAnswer } = options;
  const { integrationTimeoutMs = defaultIntegrationTimeoutMs } = options;
  const { api } = model;
  const onAccessLog = (line: string): void => onLog(api.id, line, 'stdout');
  const given = { api, port, invoke, integrationTimeoutMs, onAccessLog, onAnswer };
  const gateway = await startGateway(given);
  closers.push(gateway.close);
  return gateway.url;
};

/**
 * Writes an empty package.json beside the bundles. On AWS, no package.json of the project makes their `.js` files ES
 * modules.
 */
const isolateBundles = (assembly: string): void => {
  const file = join(assembly, 'package.json');
  if (!existsSync(file)) writeFileSync(file, '{}\n');
};

/**
 * Starts the stack of a cloud assembly. Several stacks with separate data may run at the same time.
 * @throws {StartError} with one line: the template cannot run locally, a port or folder is in use, or there is no engine
 */
export const startStack = async (options: StackOptions): Promise<LocalStack> => {
  const { onLog = writeLog, seed, transform = (model) => model } = options;
  const closers: Closers = [];
  try {
    const folder = openFolder(options.data);
    if (folder) closers.push(folder.release);
    const model = transform(readStack(options.assembly, options));
    isolateBundles(options.assembly);
    const onMessage = (id: string, line: string): void => onLog(id, line, 'stderr');
    const backend = await startBackend(model, { ...options, folder, closers, onMessage });
    const prepared = await prepareStack(model, { ...options, onLog }, backend);
    const deployed = await openDeployedProperties(folder?.resourcesFile);
    await deployCustomResources({ ...prepared, deployed });
    if (backend.isNew) await seed?.(prepared);
    // Streams start after the seed, so that functions see only complete seed data.
    const positionsFile = folder?.positionsFile;
    const { invokeForRequest, invokeForEvent } = options.prefersRequests
      ? preferRequests(prepared.invoke)
      : { invokeForRequest: prepared.invoke, invokeForEvent: prepared.invoke };
    const behind = { ...prepared, invoke: invokeForEvent };
    const background = await startBackground(behind, backend, { positionsFile, onLog });
    // From here on clients rely on the data, so the marker is removed before the first request.
    folder?.markStarted();
    const front = { ...prepared, invoke: invokeForRequest };
    return { ...prepared, ...background, url: await openGateway(front, options, backend) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
};

/** Runs a synthesised stack on this machine: HTTP in front, DynamoDB and Secrets Manager behind, IAM between. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, startGateway } from '../gateway/gateway.ts';
import type { GivenValues } from '../secrets/secret-values.ts';
import type { StackModel } from '../template/model.ts';
import { type ReadOptions, readStack } from '../template/template.ts';
import { type Backend, type Closers, closeAll, startBackend } from './backend.ts';
import { type Background, startBackground } from './background.ts';
import { deployCustomResources } from './custom-resources.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { type PreparationOptions, type PreparedStack, prepareStack } from './prepared-stack.ts';

export interface StackOptions extends GivenValues, ReadOptions, Partial<PreparationOptions> {
  /** The cloud assembly directory that `cdk synth` wrote. */
  readonly assembly: string;
  /** Of the HTTP server; 0 for any free one. */
  readonly port: number;
  /** The folder that keeps tables and secrets, or `:memory:` to keep nothing. */
  readonly data: string | DataFolder;
  /** Gets each line that a function writes, and each access log line, by logical id. Absent: our own outputs do. */
  readonly onLog?: PreparationOptions['onLog'];
  /** Changes what was read from the template before anything starts. */
  readonly transform?: (model: StackModel) => StackModel;
  /** Fills tables that are new. It runs again, on new tables, if the first start was cut short. */
  readonly seed?: (stack: PreparedStack) => Promise<void>;
  /** A running DynamoDB Local to use in place of the embedded engine. */
  readonly dynamodbEndpoint?: string;
  /** How long the gateway waits for a function. */
  readonly integrationTimeoutMs?: number;
  /** Sees each answer of the API before it is sent. */
  readonly onAnswer?: (exchange: Exchange) => void;
  /** Called when the engine ends by itself; nothing works from then on. */
  readonly onFailure?: (error: Error) => void;
}

export interface LocalStack extends PreparedStack, Background {
  /** Of the API, without a slash at its end; the stage is not part of the path. */
  readonly url: string;
}

/** API Gateway's own limit. */
const defaultIntegrationTimeoutMs = 29_000;

const writeLog: PreparationOptions['onLog'] = (_source, line, output) => {
  process[output].write(`${line}\n`);
};

const openFolder = (data: string | DataFolder): DataFolder | undefined => {
  if (typeof data !== 'string') return data;
  return data === ':memory:' ? undefined : openDataFolder(data);
};

/** Lets requests in. */
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

/** On AWS no package.json of the project stands above a bundle, to say that its `.js` files are modules. */
const isolateBundles = (assembly: string): void => {
  const file = join(assembly, 'package.json');
  if (!existsSync(file)) writeFileSync(file, '{}\n');
};

/**
 * Starts the stack of a cloud assembly. Several may run side by side, each with data of its own.
 * @throws {StartError} in one line: a template that cannot run here, a port or folder in use, no engine
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
    await deployCustomResources({ ...prepared, isNew: backend.isNew });
    if (backend.isNew) await seed?.(prepared);
    // After the seed: what it wrote comes with the stream as a whole, and not while half of it is there.
    const positionsFile = folder?.positionsFile;
    const background = await startBackground(prepared, backend, { positionsFile, onLog });
    // From here on a start that is cut short leaves what callers rely on, so the marker goes before they come in.
    folder?.markStarted();
    return { ...prepared, ...background, url: await openGateway(prepared, options, backend) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
};

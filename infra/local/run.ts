/** Starts the registry for `npm start`: checks settings and ports, synthesises the stack, starts it and loads demo data. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DataFolder,
  findFreePort,
  hasEngine,
  type LambdaFunction,
  type LocalStack,
  openDataFolder,
  type PreparedStack,
  type StackModel,
  StartError,
  startStack,
} from '@package-registry/local-aws';
import { settingVariables } from '../../shared/api/resources.ts';
import { loadDemoData } from './demo-data.ts';
import type { Flags } from './flags.ts';
import { writeRunningStack } from './running-stack.ts';
import { checkSettings, goWithout, listLeftOut, synthesiseRegistry } from './synthesis.ts';
import { reportUnreachableOnce, writeLog } from './unreachable-hosts.ts';

export interface RunOptions {
  readonly flags: Flags;
  /** The directory that holds cdk.json. */
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called when the registry stops working by itself. */
  readonly onFailure: (error: Error) => void;
}

/** Prints progress to standard error: standard output has the log only. */
const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A token list without entries. A secret cannot be empty. */
const emptyTokenList = ',';

/** Checks that a DynamoDB engine is installed. @throws {StartError} if there is none */
const checkEngine = (): void => {
  if (hasEngine()) return;
  throw new StartError(
    `no DynamoDB engine for ${process.platform}-${process.arch}: put dynoxide on the PATH, or set ` +
      'DYNAMODB_ENDPOINT to a running DynamoDB Local, such as http://127.0.0.1:8000',
  );
};

interface Workplace {
  readonly data: ':memory:' | DataFolder;
  /** Where the cloud assembly goes. */
  readonly assembly: string;
}

const prepareWorkplace = (data: string): Workplace => {
  if (data !== ':memory:') {
    const folder = openDataFolder(data);
    return { data: folder, assembly: join(folder.path, 'assembly') };
  }
  const directory = mkdtempSync(join(tmpdir(), 'registry-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return { data, assembly: join(directory, 'assembly') };
};

/** Returns whether a function sends requests to other services. */
const isOnline = ({ environment }: LambdaFunction): boolean =>
  [
    settingVariables.osvUrl,
    settingVariables.npmUrl,
    settingVariables.malwareFeedUrl,
    settingVariables.trustedRootUrl,
  ].some((variable) => variable in environment);

/** Settings that make functions request scans and upstream metadata. */
const requesting = [settingVariables.osvScanning, settingVariables.collectFacts];

/** Returns the function with these settings off, so that rules do not wait for scans and metadata. */
const withoutRequests = (one: LambdaFunction): LambdaFunction => {
  const off = requesting
    .filter((variable) => variable in one.environment)
    .map((variable) => [variable, 'false']);
  return { ...one, environment: { ...one.environment, ...Object.fromEntries(off) } };
};

/** Returns the stack without background requests to OSV.dev and upstream registries. */
const offline = (model: StackModel): StackModel => {
  const functions = Object.values(model.functions);
  const online = new Set(functions.filter(isOnline).map(({ id }) => id));
  const drop = <T>(parts: Readonly<Record<string, T>>, isDropped: (part: T) => boolean) =>
    Object.fromEntries(Object.entries(parts).filter(([, part]) => !isDropped(part)));
  return {
    ...model,
    functions: Object.fromEntries(functions.map((one) => [one.id, withoutRequests(one)])),
    eventSources: drop(model.eventSources, ({ functionId }) => online.has(functionId)),
    queueSources: drop(model.queueSources, ({ functionId }) => online.has(functionId)),
    schedules: drop(model.schedules, ({ targets }) =>
      targets.some(({ functionId }) => online.has(functionId)),
    ),
  };
};

const seed = async (stack: PreparedStack): Promise<void> => {
  progress('Loading demo data ...');
  progress(`Loaded ${await loadDemoData(stack)} demo packages.`);
};

/**
 * Starts the registry. Resolves when it accepts requests.
 * @throws {StartError} in one line when it cannot
 */
export const run = async (options: RunOptions): Promise<LocalStack> => {
  const { flags, project, environment, onFailure } = options;
  const dynamodbEndpoint = environment['DYNAMODB_ENDPOINT'];
  checkSettings(flags.settings);
  if (!dynamodbEndpoint) checkEngine();
  await findFreePort(flags.port);
  const { data, assembly } = prepareWorkplace(flags.data);
  for (const name of listLeftOut(flags.settings)) {
    progress(`Ignored ${name}: it names resources that exist only in AWS.`);
  }
  progress('Synthesising the stack ...');
  await synthesiseRegistry({ project, assembly, environment }, flags.settings);
  progress('Starting it ...');
  const stack = await startStack({
    assembly,
    goWithout,
    port: flags.port,
    data,
    prefersRequests: true,
    onFailure,
    initialSecretValue: emptyTokenList,
    onLog: reportUnreachableOnce(writeLog),
    ...(flags.tokens !== undefined && { secretValue: flags.tokens }),
    ...(flags.demo && { seed }),
    ...(flags.offline && { transform: offline }),
    ...(dynamodbEndpoint && { dynamodbEndpoint }),
  });
  if (data !== ':memory:') {
    const { url, endpoints, credentials, model } = stack;
    const aws = { endpoint: endpoints.aws, credentials };
    writeRunningStack(data.path, { url, lambda: endpoints.lambda, aws, outputs: model.outputs });
  }
  return stack;
};

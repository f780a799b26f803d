/** Starts the registry for a terminal: checks first what can be checked fast, then synthesises, starts and fills it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDemoData } from './demo-data.ts';
import { type DataFolder, openDataFolder } from './engine/data-folder.ts';
import { checkEngine } from './engine/dynamodb-engine.ts';
import type { Flags } from './flags.ts';
import { freePort } from './loopback.ts';
import { writeRunningStack } from './running-stack.ts';
import { type Backstage, type LocalStack, startLocal } from './stack.ts';
import { synthesise } from './synthesis.ts';
import type { StackModel } from './template/model.ts';

export interface RunOptions {
  readonly flags: Flags;
  /** The directory that holds cdk.json and infra/app.ts. */
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called when the registry stops working by itself. */
  readonly onFailure: (error: Error) => void;
}

/** For whoever waits; standard output has the log and nothing else. */
function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

interface Workplace {
  readonly data: ':memory:' | DataFolder;
  /** Where the cloud assembly goes. */
  readonly assembly: string;
}

function prepareWorkplace(data: string): Workplace {
  if (data !== ':memory:') {
    const folder = openDataFolder(data);
    return { data: folder, assembly: join(folder.path, 'assembly') };
  }
  const directory = mkdtempSync(join(tmpdir(), 'registry-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return { data, assembly: join(directory, 'assembly') };
}

/** Nothing runs but what requests bring about: all that else runs asks OSV.dev. */
const withoutBackground = (model: StackModel): StackModel => ({
  ...model,
  eventSources: {},
  schedules: {},
});

async function seed(stack: Backstage): Promise<void> {
  progress('Loading demo data ...');
  progress(`Loaded ${await loadDemoData(stack)} demo packages.`);
}

/**
 * Starts the registry. Resolves once it answers.
 * @throws {StartError} in one line when it cannot
 */
export async function run(options: RunOptions): Promise<LocalStack> {
  const { flags, project, environment, onFailure } = options;
  const dynamodbEndpoint = environment['DYNAMODB_ENDPOINT'];
  if (!dynamodbEndpoint) checkEngine();
  await freePort(flags.port);
  const { data, assembly } = prepareWorkplace(flags.data);
  progress('Synthesising the stack ...');
  await synthesise({ project, assembly, environment });
  progress('Starting it ...');
  const stack = await startLocal({
    assembly,
    port: flags.port,
    data,
    onFailure,
    ...(flags.tokens !== undefined && { tokens: flags.tokens }),
    ...(flags.demo && { seed }),
    ...(!flags.osv && { transform: withoutBackground }),
    ...(dynamodbEndpoint && { dynamodbEndpoint }),
  });
  if (data !== ':memory:') {
    const { url, endpoints, model } = stack;
    writeRunningStack(data.path, { url, lambda: endpoints.lambda, outputs: model.outputs });
  }
  return stack;
}

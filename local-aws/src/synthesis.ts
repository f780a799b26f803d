/** Synthesises a CDK app as the CDK CLI does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { makeFingerprint } from './fingerprint.ts';
import { parseJson } from './json.ts';
import { describeIssue } from './schema.ts';
import { StartError } from './start-error.ts';

/** The app cannot be synthesised; what it wrote tells why. */
class SynthesisError extends StartError {
  override name = 'SynthesisError';
}

export interface SynthesisOptions {
  /** The directory that holds cdk.json, of which `app` and `context` are used. */
  readonly project: string;
  /** Where the cloud assembly goes; what is there is deleted, unless `inputs` says that it would be made again. */
  readonly assembly: string;
  /** What the app finds in its environment, such as `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Context values in place of those of cdk.json; undefined takes one away. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The files and folders of the project that the app is made of. An assembly that was made of the same ones is kept. */
  readonly inputs?: readonly string[];
}

const projectSchema = z.object({
  app: z.string(),
  context: z.record(z.string(), z.unknown()).default({}),
});

/** @throws {SynthesisError} when there is no cdk.json that names an app */
const readProject = (project: string): z.output<typeof projectSchema> => {
  const file = join(project, 'cdk.json');
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SynthesisError(`cannot read ${file}`, { cause });
  }
  const parsed = projectSchema.safeParse(parseJson(content));
  if (parsed.success) return parsed.data;
  throw new SynthesisError(`${file} does not describe a CDK app: ${describeIssue(parsed.error)}`);
};

/** The app runs by this very Node.js where its command says `node`. */
const readSearchPath = ({ PATH = '' }: SynthesisOptions['environment']): string =>
  [dirname(process.execPath), PATH].join(delimiter);

/** Starts the command in a process group of its own, so that what a shell starts ends with the shell. */
const startApp = ({ project, assembly, environment, context }: SynthesisOptions): ChildProcess => {
  const { app, context: flags } = readProject(project);
  return spawn(app, {
    cwd: project,
    detached: true,
    env: {
      ...environment,
      CDK_CONTEXT_JSON: JSON.stringify({ ...flags, ...context }),
      CDK_OUTDIR: resolve(assembly),
      // Takes most of the time, and changes nothing about what is synthesised.
      CDK_VALIDATION: 'false',
      PATH: readSearchPath(environment),
    },
    shell: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
};

const stopApp = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid);
  } catch {
    // It was gone already.
  }
};

const runApp = async (options: SynthesisOptions): Promise<void> => {
  const app = startApp(options);
  const stop = (): void => stopApp(app);
  process.once('exit', stop);
  const [complaints, [code]] = await Promise.all([
    app.stderr ? text(app.stderr) : '',
    once(app, 'exit'),
  ]);
  process.off('exit', stop);
  if (code !== 0) throw new SynthesisError(`the stack cannot be synthesised\n${complaints.trim()}`);
};

/** Of the environment, what CDK and the AWS SDK read. */
const pickEnvironment = (environment: SynthesisOptions['environment']) =>
  Object.entries(environment)
    .filter(([name]) => /^(CDK|AWS)_/.test(name))
    .sort();

const fingerprintInputs = (options: SynthesisOptions): string | undefined => {
  const { project, environment, context, inputs } = options;
  return (
    inputs &&
    makeFingerprint(
      ['cdk.json', ...inputs].map((path) => resolve(project, path)),
      { node: process.version, context, environment: pickEnvironment(environment) },
    )
  );
};

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * Resolves to whether anything had to be done.
 * @throws {SynthesisError} with the app's own words when it fails
 */
export const synthesise = async (options: SynthesisOptions): Promise<boolean> => {
  const { assembly } = options;
  const mark = join(assembly, '.made-of');
  const fingerprint = fingerprintInputs(options);
  if (fingerprint !== undefined && readText(mark) === fingerprint) return false;
  rmSync(assembly, { recursive: true, force: true });
  await runApp(options);
  // Last, so that an assembly that was cut short is made again.
  if (fingerprint !== undefined) writeFileSync(mark, fingerprint);
  return true;
};

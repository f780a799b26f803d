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

/** Thrown if the app cannot be synthesised. The message includes the app's error output. */
class SynthesisError extends StartError {
  override name = 'SynthesisError';
}

export interface SynthesisOptions {
  /** Directory of cdk.json. Only its `app` and `context` are used. */
  readonly project: string;
  /**
   * Output directory of the cloud assembly. Existing content is deleted, unless `inputs` shows that it is up to date.
   */
  readonly assembly: string;
  /** Environment variables of the app, such as `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Context values that override those of cdk.json. The value undefined removes a key. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Source files and folders of the app. If they are unchanged, an existing assembly is reused. */
  readonly inputs?: readonly string[];
}

const projectSchema = z.object({
  app: z.string(),
  context: z.record(z.string(), z.unknown()).default({}),
});

/** @throws {SynthesisError} if cdk.json is missing, malformed or names no app */
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

/** Returns the app's PATH. It starts with the folder of the running Node.js, so that `node` is the same version. */
const readSearchPath = ({ PATH = '' }: SynthesisOptions['environment']): string =>
  [dirname(process.execPath), PATH].join(delimiter);

/** Starts the app in its own process group, so that all processes of its shell can be stopped together. */
const startApp = ({ project, assembly, environment, context }: SynthesisOptions): ChildProcess => {
  const { app, context: flags } = readProject(project);
  return spawn(app, {
    cwd: project,
    detached: true,
    env: {
      ...environment,
      CDK_CONTEXT_JSON: JSON.stringify({ ...flags, ...context }),
      CDK_OUTDIR: resolve(assembly),
      // Validation takes most of the time and does not change the template.
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
    // The process has already ended.
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

/** Returns the environment variables of CDK and the AWS SDK, sorted by name. */
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
 * Synthesises the app. Resolves to false if an existing assembly was reused.
 * @throws {SynthesisError} with the app's error output if the app fails
 */
export const synthesise = async (options: SynthesisOptions): Promise<boolean> => {
  const { assembly } = options;
  const mark = join(assembly, '.made-of');
  const fingerprint = fingerprintInputs(options);
  if (fingerprint !== undefined && readText(mark) === fingerprint) return false;
  rmSync(assembly, { recursive: true, force: true });
  await runApp(options);
  // Written last, so that an incomplete assembly is never reused.
  if (fingerprint !== undefined) writeFileSync(mark, fingerprint);
  return true;
};

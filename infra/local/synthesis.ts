/** Synthesises the stack as the CDK CLI does, with development settings. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { StartError } from './start-error.ts';

/** The stack cannot be synthesised; what the CDK app wrote tells why. */
export class SynthesisError extends StartError {
  override name = 'SynthesisError';
}

const projectSchema = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

/** The feature flags of cdk.json, without which the template would differ from the deployed one. */
function contextOf(project: string): string {
  const file = join(project, 'cdk.json');
  const { context } = projectSchema.parse(
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {},
  );
  // Tables that were restored in AWS are not here.
  const { restoredTables: _, ...local } = context;
  return JSON.stringify({ ...local, environment: 'development' });
}

export interface SynthesisOptions {
  /** The directory that holds cdk.json and infra/app.ts. */
  readonly project: string;
  /** Where the cloud assembly goes; what is there is deleted. */
  readonly assembly: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws {SynthesisError} when the CDK app fails */
export async function synthesise(options: SynthesisOptions): Promise<void> {
  const { project, assembly, environment } = options;
  rmSync(assembly, { recursive: true, force: true });
  const app = spawn(process.execPath, ['infra/app.ts'], {
    cwd: project,
    env: { ...environment, CDK_OUTDIR: assembly, CDK_CONTEXT_JSON: contextOf(project) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = (): void => void app.kill();
  process.once('exit', stop);
  const [complaints, [code]] = await Promise.all([text(app.stderr), once(app, 'exit')]);
  process.off('exit', stop);
  if (code !== 0) throw new SynthesisError(`the stack cannot be synthesised\n${complaints.trim()}`);
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildInto, bundleRun } from '../../cli/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled command line. */
    commandLine: string;
    /** The command line as a module that runs one command after the other. */
    commandModule: string;
  }
}

/** Bundles the command line once for all tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-cli-'));
  const program = join(folder, 'program');
  const module = join(folder, 'run.mjs');
  const [{ text }] = await Promise.all([bundleRun(), buildInto(program)]);
  writeFileSync(module, text);
  project.provide('commandLine', program);
  project.provide('commandModule', module);
  return () => rmSync(folder, { recursive: true });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildInto } from '../../cli/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled command line. */
    commandLine: string;
  }
}

/** Bundles the command line once for all tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-cli-'));
  await buildInto(folder);
  project.provide('commandLine', folder);
  return () => rmSync(folder, { recursive: true });
}

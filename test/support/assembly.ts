import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesiseRegistry } from '../../infra/local/synthesis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the synthesised cloud assembly that the contract tests run. */
    assembly: string;
  }
}

/** Synthesises the stack once for all tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'package-registry-test-'));
  const assembly = join(directory, 'assembly');
  await synthesiseRegistry({ project: process.cwd(), assembly, environment: process.env });
  project.provide('assembly', assembly);
  return () => rmSync(directory, { recursive: true });
}

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

/** Synthesises the stack once for the tests of all projects. */
export default async function setup({ vitest }: TestProject): Promise<() => void> {
  const all = vitest.getRootProject();
  if (all.getProvidedContext().assembly !== undefined) return () => undefined;
  const directory = mkdtempSync(join(tmpdir(), 'package-registry-test-'));
  const assembly = join(directory, 'assembly');
  // With all that settings can switch on: the tests switch it off where they do not use it.
  const settings = { followUpdates: 'minor', gateRequests: 'true', signDecisions: 'true' };
  await synthesiseRegistry(
    { project: process.cwd(), assembly, environment: process.env },
    settings,
  );
  all.provide('assembly', assembly);
  return () => rmSync(directory, { recursive: true });
}

import type { TestProject } from 'vitest/node';
import provideAssembly from './assembly.ts';
import provideCommandLine from './built-command-line.ts';
import { checkPrograms } from './needed-programs.ts';

/** Builds the stack and the command line for tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  checkPrograms();
  const removals = await Promise.all([provideAssembly(project), provideCommandLine(project)]);
  return () => {
    for (const remove of removals) remove();
  };
}

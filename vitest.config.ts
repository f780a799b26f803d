import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    // Many files wait for the programs that they start, so that more than there are cores still helps.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Tests start hundreds of programs, which need not be compiled each time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    projects: [
      {
        test: {
          name: 'registry',
          // A process for each file would load the same modules a hundred times.
          isolate: false,
          setupFiles: ['test/support/restore-environment.ts'],
          globalSetup: [
            'test/support/assembly.ts',
            'test/support/built-command-line.ts',
            'test/support/seen-answers.ts',
          ],
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      'local-aws',
    ],
  },
});

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Some files mostly wait, so that one more than there are cores still helps.
    maxWorkers: 3,
    // Tests start hundreds of programs, which need not be compiled each time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    projects: [
      {
        test: {
          name: 'registry',
          globalSetup: [
            'test/support/assembly.ts',
            'test/support/built-command-line.ts',
            'test/support/seen-answers.ts',
          ],
          include: ['test/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      'local-aws',
    ],
  },
});

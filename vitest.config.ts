import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Some files mostly wait, so that one more than there are cores still helps.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'registry',
          globalSetup: ['test/support/assembly.ts', 'test/support/seen-answers.ts'],
          include: ['test/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      'local-aws',
    ],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/assembly.ts'],
    include: ['test/**/*.test.ts'],
    // Some files mostly wait, so that one more than there are cores still helps.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

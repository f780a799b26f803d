import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-aws',
    // The same number as the whole project. Vitest cannot run projects with different numbers in parallel.
    maxWorkers: 4,
    // Without isolation, workers load shared modules once, and not for each file.
    isolate: false,
    include: ['test/**/*.test.ts'],
    // Far longer than any event on the slowest machine, so that only a hanging test reaches it.
    testTimeout: 10 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-aws',
    // As many as the whole project has, or else they could not work side by side.
    maxWorkers: 4,
    // A process for each file would load the same modules many times.
    isolate: false,
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

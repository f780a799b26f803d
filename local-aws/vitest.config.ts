import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'local-aws',
    // As many as the whole project has, or else they could not work side by side.
    maxWorkers: 4,
    // A process for each file would load the same modules many times.
    isolate: false,
    include: ['test/**/*.test.ts'],
    // Far longer than any event takes on the slowest machine: only a test that hangs ends by it.
    testTimeout: 10 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});

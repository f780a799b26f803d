import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests that hold what is mutated, without a stack around it. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: [
      'test/auth/*.test.ts',
      'test/domain/token-list.test.ts',
      'test/http/{gateway-request,problem,validation}.test.ts',
      'test/store/{attempt,transact}.test.ts',
      'test/store/catalogue/{fold-steps,leave-shard,writers}.test.ts',
    ],
    // A thousand schedules, which take longer than all others together.
    exclude: ['test/auth/token-loader.simulation.test.ts'],
    setupFiles: ['test/support/restore-environment.ts'],
    testTimeout: 20_000,
  },
});

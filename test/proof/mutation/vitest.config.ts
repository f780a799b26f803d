import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of the mutated code, without a stack. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: [
      'test/platform/auth/*.test.ts',
      'test/domain/tokens/token-list.test.ts',
      'test/platform/http/{gateway-request,problem,validation}.test.ts',
      'test/storage/dynamodb/{attempt,transact}.test.ts',
      'test/storage/catalogue/{fold-steps,leave-shard,writers}.test.ts',
    ],
    // A thousand schedules take longer than all other tests together.
    exclude: ['test/platform/auth/*.simulation.test.ts'],
    setupFiles: ['test/support/restore-environment.ts'],
    testTimeout: 20_000,
  },
});

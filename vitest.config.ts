import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { hangMs, testHangMs } from './test/support/hang.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { thorough } from './test/support/thorough.ts';

const registry = {
  // A process for each file would load the same modules a hundred times.
  isolate: false,
  setupFiles: ['test/support/restore-environment.ts'],
  globalSetup: ['test/support/programs.ts', 'test/support/seen-answers.ts'],
  testTimeout: testHangMs,
  hookTimeout: testHangMs,
  expect: { poll: { timeout: hangMs } },
};

/** What runs a whole registry in its own process has modules that no other test has used. */
const inOneProcess = ['histories', 'hostile', 'attacks'].map(
  (part) => `test/proof/${part}.test.ts`,
);

/** The contract of tokens, which holds also where the registry accepts ID tokens. */
const withTokens = [
  'authentication',
  'scopes',
  'four-eyes',
  'token-traffic',
  'quotas',
  'idempotency',
]
  .concat('rotation', 'request-log', 'decision')
  .map((part) => `test/contract/${part}.test.ts`);

export default defineConfig({
  test: {
    // Many files wait for the programs that they start, so that more than there are cores still helps.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Tests start hundreds of programs, which need not be compiled each time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    projects: [
      {
        test: {
          ...registry,
          name: 'registry',
          include: ['test/**/*.test.ts'],
          // What commands of their own install below test brings tests of its own.
          exclude: ['**/node_modules/**', ...inOneProcess, ...thorough],
        },
      },
      { test: { ...registry, name: 'thorough', include: [...thorough] } },
      {
        test: {
          ...registry,
          name: 'accounts',
          include: withTokens,
          env: { TRUST_ISSUERS: 'yes' },
          globalSetup: ['test/support/assembly.ts', 'test/support/seen-answers.ts'],
        },
      },
      {
        test: {
          ...registry,
          name: 'proof',
          include: inOneProcess,
          isolate: true,
          globalSetup: ['test/support/assembly.ts'],
        },
      },
      'local-aws',
    ],
  },
});

/** What is mutated, and by which tests it is held: https://stryker-mutator.io/docs/stryker-js/configuration/ */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/proof/mutation/vitest.config.ts', related: false },
  mutate: [
    'shared/platform/auth/*.ts',
    'shared/storage/dynamodb/transact.ts',
    'shared/storage/dynamodb/attempt.ts',
    'shared/platform/http/validation.ts',
    'shared/storage/catalogue/{facets,counters,compact-counter,compact-counters,catalogue-keys,sequence-numbers,rows,target,writes}.ts',
  ],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  tempDirName: 'node_modules/.stryker',
  ignorePatterns: ['cdk.out', 'dist', '.registry', '.bench', 'console', 'web', 'cli', 'docs'],
  // There is none of this name: Stryker would rewrite it by the old programming interface of TypeScript.
  tsconfigFile: 'no-tsconfig.json',
  disableTypeChecks: false,
  allowConsoleColors: false,
  concurrency: 2,
  thresholds: { high: 95, low: 90, break: 90 },
};

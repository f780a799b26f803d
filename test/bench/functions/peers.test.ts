import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** The peers are not type-checked, because their frameworks are installed only for the benchmark. */
it.each(['operations.mjs', 'requests.mjs'])('the peers import existing code: %s', async (file) => {
  const { warnings } = await build({
    entryPoints: [join(import.meta.dirname, '../peers', file)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });

  expect(warnings).toEqual([]);
});

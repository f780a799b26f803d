import { globSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { inputs } from '../../../infra/local/synthesis.ts';

it('synthesises a stack again after a change in one of its files', async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['infra/app.ts', ...globSync('functions/*.ts')], outdir: 'unused' },
    ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm' },
    ...{ write: false, metafile: true, logLevel: 'silent' },
  });
  const folders = new Set(Object.keys(metafile.inputs).map((file) => file.split('/')[0]));

  expect(folders.size).toBeGreaterThan(5);
  // Synthesis always compares cdk.json, which names the app.
  expect(['cdk.json', ...inputs]).toEqual(expect.arrayContaining([...folders]));
});

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions } from '../../infra/constructs/bundle-options.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';

/** Returns the exports of a bundle of this text. */
const loadText = async (contents: string) => {
  const stdin = { contents, loader: 'ts', resolveDir: process.cwd() } as const;
  const { outputFiles } = await build({ ...bundleOptions, stdin, outdir: '.', write: false });
  const [code = ''] = outputFiles.map(({ text }) => text);
  // A module of such an address has no files to require from.
  const ownRequire = code.replace('import.meta.url', JSON.stringify(import.meta.url));
  return import(`data:text/javascript,${encodeURIComponent(ownRequire)}`);
};

describe('a bundle', () => {
  it('contains every endpoint if a function lists them', async () => {
    const { ids } = await loadText(`
      import * as routes from './shared/api/routes.ts';
      export const ids = Object.values(routes).map(({ id }) => id);`);

    expect(ids.sort()).toEqual(allRoutes.map(({ id }) => id).sort());
  });

  it("validates with zod's schemas, and throws if it must describe one", async () => {
    const { check, describeText } = await loadText(`
      import * as z from 'zod';
      const text = z.string().min(2);
      export const check = (value) => text.safeParse(value).success;
      export const describeText = () => z.toJSONSchema(text);`);

    expect([check('a'), check('ab')]).toEqual([false, true]);
    expect(() => describeText()).toThrow(
      "zod/v4/core/json-schema-processors.js is left out of the functions' bundles",
    );
  });

  it('has a JSON file only once that is both imported and required', async () => {
    const { imported, required } = await loadText(`
      import imported from 'spdx-license-ids/index.json' with { type: 'json' };
      const required = require('spdx-license-ids');
      export { imported, required };`);

    expect(imported).toBe(required);
    expect(imported).toContain('MIT');
  });
});

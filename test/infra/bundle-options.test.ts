import { type BuildOptions, build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions } from '../../infra/constructs/bundle-options.ts';
import { routes } from '../../shared/api/routes.ts';

/** Returns the exports of a bundle. */
const load = async (input: Pick<BuildOptions, 'stdin' | 'entryPoints'>) => {
  const { outputFiles } = await build({ ...bundleOptions, ...input, outdir: '.', write: false });
  const [code = ''] = outputFiles.map(({ text }) => text);
  // A module of such an address has no files to require from.
  const ownRequire = code.replace('import.meta.url', JSON.stringify(import.meta.url));
  return import(`data:text/javascript,${encodeURIComponent(ownRequire)}`);
};

const loadText = (contents: string) =>
  load({ stdin: { contents, loader: 'ts', resolveDir: process.cwd() } });

describe('a bundle', () => {
  it('has the routes that its function names, with the schemas of their requests', async () => {
    const { held } = await load({ entryPoints: ['test/infra/fixtures/own-routes.ts'] });

    const { rejectPackage } = routes;
    expect(Object.keys(held)).toEqual(['rejectPackage']);
    expect(held.rejectPackage).toMatchObject({
      id: rejectPackage.id,
      path: rejectPackage.path,
      scope: rejectPackage.scope,
      success: { status: rejectPackage.success.status },
      body: { optional: rejectPackage.body.optional },
    });
    expect(held.rejectPackage.body.schema.safeParse({ reason: '' }).success).toBe(false);
    expect(held.rejectPackage.query.safeParse({ ecosystem: 'npm' }).success).toBe(true);
    expect(held.rejectPackage.success.schema).toBeUndefined();
  });

  it("validates with zod's schemas, and throws where it must describe one", async () => {
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

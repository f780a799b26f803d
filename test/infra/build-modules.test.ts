import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { buildModules } from '../../infra/constructs/build-modules.ts';
import facts from '../../shared/domain/licenses/facts.build.ts';

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [buildModules],
  });
  return outputFiles.map(({ text }) => text).join('');
};

it('bundles the default export of a build module', async () => {
  const code = await bundled("export { default } from './shared/domain/licenses/facts.build.ts';");

  const { default: rows } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(rows).toEqual(facts);
});

it('leaves out the data packages that a build module imports', async () => {
  const code = await bundled("export * from './shared/domain/licenses/catalogue.ts';");

  const found = [
    'GNU Affero General Public License v3.0 only',
    'osiApproved',
    'The model license demonstrates',
    'polyformproject.org',
  ].filter((text) => code.includes(text));
  expect(found).toEqual(['GNU Affero General Public License v3.0 only']);
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(90 * 1024);
});

it('rejects a build module without a default export', async () => {
  await expect(bundled("export * from './test/infra/fixtures/nothing.build.ts';")).rejects.toThrow(
    'has no default export to bundle',
  );
});

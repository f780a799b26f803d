import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildInto } from '../../cli/build.ts';
import { problem, startScripted } from '../support/scripted-server.ts';

/** What another program would write. */
const program = `
import { createClient, RequestError } from 'package-registry/client';

const registry = createClient({ url: process.argv[2] ?? '', retries: 0 });
try {
  const { packages } = await registry.listPackages({ query: { status: 'pending', limit: 10 } });
  const names: string[] = packages.map(({ name }) => name);
  console.log(names);
} catch (error) {
  if (error instanceof RequestError) console.log(error.status, error.code, error.requestId);
}

export const refused = () => [
  // @ts-expect-error there is no such status
  registry.listPackages({ query: { status: 'open' } }),
  // @ts-expect-error the name is missing
  registry.showPackage(),
  // @ts-expect-error the body is missing
  registry.submitPackage({}),
  // @ts-expect-error an approval has no such field
  registry.approvePackage({ path: { name: 'x' }, body: { rejected_by: 'y' } }),
];
`;

const tsconfig = {
  compilerOptions: { strict: true, skipLibCheck: true, module: 'nodenext', types: ['node'] },
  files: ['program.ts'],
};

const tsc = (...args: readonly string[]) =>
  spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...args], {
    encoding: 'utf8',
  });

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registry-program-test-'));
  const installed = join(folder, 'node_modules', 'package-registry');
  mkdirSync(installed, { recursive: true });
  copyFileSync('package.json', join(installed, 'package.json'));
  symlinkSync(resolve('node_modules/zod'), join(folder, 'node_modules', 'zod'));
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules', '@types'));
  symlinkSync(resolve('node_modules/undici-types'), join(folder, 'node_modules', 'undici-types'));
  await buildInto(join(installed, 'dist'));
  tsc('--project', 'shared/client', '--outDir', join(installed, 'dist', 'types'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(join(folder, 'program.ts'), program);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('lets another program call the registry, checked by its types', async () => {
  const server = await startScripted(problem(404, 'told'));

  const compiled = tsc('--project', folder);
  const child = spawn(process.execPath, [join(folder, 'program.js'), server.url]);
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);

  await server.close();
  expect(compiled.stdout).toBe('');
  expect(printed).toBe('404 told id-1\n');
});

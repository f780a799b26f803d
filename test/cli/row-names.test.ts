import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true });
  commandLine = CommandLine.install();
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    await registry.submit({ ecosystem: 'npm', name: '@acme/ui', version, license: 'MIT' });
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], stdin = '') =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url }, stdin });

it('lists package versions that other commands take from a pipe', async () => {
  const listed = await run(['list', '-s', 'pending', '-n', '2', '-o', 'name']);
  const approved = await run(['approve', '-', '-o', 'name'], listed.stdout);
  const all = await run(['list', '--all', '-o', 'name']);
  const shown = await run(['show', '@acme/ui', '--output', 'name']);

  expect(listed).toMatchObject({ code: 0, stdout: 'npm:@acme/ui@1.0.0\nnpm:@acme/ui@1.1.0\n' });
  expect(approved).toMatchObject({ code: 0, stdout: listed.stdout });
  expect(all.stdout).toBe(`${listed.stdout}npm:@acme/ui@2.0.0\n`);
  expect(shown.stdout).toBe('npm:@acme/ui@2.0.0\n');
});

it('names only what was carried out', async () => {
  const { code, stdout } = await run(
    ['approve', '-', '-o', 'name'],
    'npm:@acme/ui@9.0.0\nnpm:@acme/ui@2.0.0\n',
  );

  expect(code).toBe(1);
  expect(stdout).toBe('npm:@acme/ui@2.0.0\n');
});

it('lists licenses by their names', async () => {
  const { stdout } = await run(['license', 'list', '-n', '2', '-o', 'name']);

  expect(stdout).toBe('0BSD\n3D-Slicer-1.0\n');
});

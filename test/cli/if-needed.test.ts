import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start();
  commandLine = CommandLine.install();
  for (const name of ['once', 'twice', 'rejected']) {
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
  }
  await run('approve', 'twice', '--by', 'ana@example.com');
  await run('reject', 'rejected', '--reason', 'no');
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (...args: readonly string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

it('approves again what is approved, without a change', async () => {
  const plain = await run('approve', 'twice');
  const ifNeeded = await run('approve', 'twice', '--if-needed', '--by', 'ben@example.com');

  expect(plain).toMatchObject({ code: 1, stdout: '' });
  expect(plain.stderr).toContain('npm:twice@1.0.0 is already approved. Nothing was changed.');
  expect(ifNeeded.code).toBe(0);
  expect(ifNeeded.stdout).toMatch(/^npm:twice@1\.0\.0 is approved\.\n/);
  expect(ifNeeded.stdout).toMatch(/^Approved by +ana@example\.com$/m);
});

it('does not approve what is rejected', async () => {
  const { code, stderr } = await run('approve', 'rejected', '--if-needed');

  expect(code).toBe(1);
  expect(stderr).toContain('give a reason');
});

it('tells apart what was approved and what was approved before', async () => {
  const args = ['approve', 'npm:once@1.0.0', 'npm:twice@1.0.0', '--if-needed'];

  const { code, stdout, stderr } = await run(...args);

  expect(stdout).toMatch(/^approved +npm:once@1\.0\.0$/m);
  expect(stdout).toMatch(/^unchanged +npm:twice@1\.0\.0 +npm:twice@1\.0\.0 is already approved\./m);
  expect(stderr).toMatch(/^1 approved, 1 unchanged\.$/m);
  expect(code).toBe(0);
});

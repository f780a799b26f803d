import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start();
  commandLine = CommandLine.install();
  await registry.submit({ ecosystem: 'npm', name: '@acme/ui', version: '1.0.0', license: 'MIT' });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], env = {}) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url, ...env } });

/** Puts a program in place of the browser, which writes its argument into a file. */
const installBrowser = (): { readonly PATH: string; readonly file: string } => {
  const folder = join(commandLine.folder, 'browser');
  const file = join(folder, 'opened');
  mkdirSync(folder);
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1" > ${file}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`, file };
};

it('opens the page of a version in the browser', async () => {
  const { PATH, file } = installBrowser();
  const address = `${registry.url}/console#/packages/npm/%40acme%2Fui/1.0.0`;

  const { code, stderr } = await run(['show', '@acme/ui', '-w'], { PATH });

  expect({ code, stderr }).toEqual({ code: 0, stderr: `Opening ${address}\n` });
  await until(() => existsSync(file) && readFileSync(file, 'utf8') === `${address}\n`);
});

it('opens one page at a time', async () => {
  const { code, stderr } = await run(['show', '@acme/ui', 'lodash', '--web']);

  expect(code).toBe(2);
  expect(stderr).toContain('--web is for one package.');
});

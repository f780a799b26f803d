import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start();
  commandLine = CommandLine.install();
  for (const version of ['4.17.19', '4.17.20', '4.17.21', '4.18.1']) {
    await registry.submit({ ecosystem: 'npm', name: 'lodash', version, license: 'MIT' });
  }
  await registry.submit({ ecosystem: 'npm', name: 'loader', version: '1.0.0', license: 'MIT' });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (...args: readonly string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

describe('a package that the registry does not have', () => {
  it.each([
    ['lodahs', 'Did you mean npm:lodash?'],
    ['npm:lodashh@4.17.21', 'Did you mean npm:lodash?'],
    [
      'npm:lodash@4.17.22',
      'Did you mean npm:lodash@4.17.21, npm:lodash@4.17.20 or npm:lodash@4.17.19?',
    ],
    [
      'npm:lodash@9.0.0',
      'Did you mean npm:lodash@4.18.1, npm:lodash@4.17.21 or npm:lodash@4.17.20?',
    ],
    [
      'underscore',
      'Find packages by a part of their name with registry list --search. Submit a new one with registry submit.',
    ],
  ])('%s is answered with what it has', async (typed, advice) => {
    const { code, stderr } = await run('show', typed);

    expect(code).toBe(1);
    expect(stderr.split('\n')[1]).toBe(advice);
  });

  it.each([
    ['versions', 'lodahs'],
    ['approve', 'npm:lodahs@4.17.21'],
    ['reject', 'lodahs', '--reason', 'no'],
    ['scan', 'show', 'lodahs'],
    ['show', 'lodahs', '--web'],
  ])('is suggested by every command: %s', async (...args) => {
    expect((await run(...args)).stderr).toContain('Did you mean npm:lodash');
  });

  it('leaves the answer of the registry to programs', async () => {
    const { stderr } = await run('show', 'lodahs', '--json');

    expect(JSON.parse(stderr)).toMatchObject({ status: 404, code: 'package_not_found' });
  });
});

it('names the flags of refused values', async () => {
  const flags = ['--homepage', 'foo', '--repository', 'ftp://example.com/x'];

  const { code, stderr } = await run('submit', 'npm:left-pad@1.3.0', ...flags);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: --homepage must be a URL .* or https:\/\/; --repository must be/);
});

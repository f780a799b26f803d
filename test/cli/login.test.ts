import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';
import { json, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-that-nobody-may-ever-see-printed';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ana/review:${token}` });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

/** A separate home for each test, with the path of its config file. */
const makeHome = () => {
  const home = mkdtempSync(join(commandLine.folder, 'home-'));
  const folder = join(home, 'registry');
  return { env: { XDG_CONFIG_HOME: home }, folder, file: join(folder, 'config.json') };
};

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('login at a terminal', () => {
  it('asks for URL and token, hides the token, checks both and saves them for the owner only', async () => {
    const { env, folder, file } = makeHome();
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(file, '{"url": "http://127.0.0.1:9"}', { mode: 0o644 });
    const terminal = commandLine.inTerminal(['login'], { env });

    await terminal.shows('URL of the registry [http://127.0.0.1:9]: ');
    terminal.type(`${registry.url}\r`);
    await terminal.shows('Token (hidden; empty: only read): ');
    terminal.type(`${token}\r`);

    expect(await terminal.end()).toBe(0);
    expect(terminal.raw()).not.toContain(token);
    expect(terminal.screen()).toMatch(/^Label +ana\nScopes +review$/m);
    expect(terminal.screen()).toContain(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...{ url: registry.url, tokens: { [registry.url]: token } },
    });
    expect([modeOf(folder), modeOf(file)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['config.json']);
    const { stdout, stderr } = await commandLine.run(['whoami'], { env });
    expect(stdout).toMatch(new RegExp(`^Token from +${file}$`, 'm'));
    expect(stderr).toBe('');
  });

  it('asks and hides the token if the output is a file', async () => {
    const { env, file } = makeHome();
    const stdout = join(commandLine.folder, 'login.json');
    const args = ['login', '--json'];
    const terminal = commandLine.inTerminal(args, { env, stdout });

    await terminal.shows('URL of the registry: ');
    terminal.type(`${registry.url}\r`);
    await terminal.shows('Token (hidden; empty: only read): ');
    terminal.type(`${token}\r`);

    expect(await terminal.end()).toBe(0);
    expect(terminal.raw()).not.toContain(token);
    expect(JSON.parse(readFileSync(stdout, 'utf8'))).toMatchObject({ label: 'ana', file });
  });

  it('uses the saved URL for an empty answer, and reads without a token', async () => {
    const { env, file } = makeHome();
    const set = { ...env, REGISTRY_URL: registry.url };
    const terminal = commandLine.inTerminal(['login'], { env: set });

    await terminal.shows(`[${registry.url}]: `);
    terminal.type('\r');
    await terminal.shows('Token');
    terminal.type('\r');

    expect(await terminal.end()).toBe(0);
    expect(terminal.screen()).toContain('REGISTRY_URL overrides the config file.');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...{ url: registry.url, tokens: { [registry.url]: null } },
    });
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('saves nothing at %s, and exits with 130', async (_, keys) => {
    const { env, file } = makeHome();
    const terminal = commandLine.inTerminal(['login', '--url', registry.url], { env });

    await terminal.shows('Token');
    terminal.type(`half-a-token${keys === '\u0003' ? '' : '\u0015'}${keys}`);

    expect(await terminal.end()).toBe(130);
    expect(existsSync(file)).toBe(false);
    expect(terminal.raw()).not.toContain('half-a-token');
  });
});

describe('login in a script', () => {
  it('reads the token from standard input', async () => {
    const { env, file } = makeHome();

    const { code, stdout } = await commandLine.run(['login', '--url', registry.url, '--json'], {
      env,
      stdin: `${token}\n`,
    });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ url: registry.url, authentication: 'enabled', label: 'ana', scopes: ['review'] },
      ...{ fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/), file },
      ...{ issuer: null, expires_at: null },
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...{ url: registry.url, tokens: { [registry.url]: token } },
    });
  });

  it.each<[string, string[], string, number, string]>([
    ['a wrong token', [], 'wrong', 1, 'The token came from standard input.'],
    [
      'a token that no header carries',
      [],
      'a b',
      2,
      'The token from standard input must be letters',
    ],
    ['no registry', ['--url', 'http://127.0.0.1:9/'], token, 3, 'The URL came from --url.'],
    ['no URL', ['--url', 'registry'], token, 2, 'The URL from --url must be a URL such as'],
  ])('saves nothing for %s', async (_, args, stdin, code, said) => {
    const { env, file } = makeHome();
    const all = ['login', '--url', registry.url, ...args];

    const ended = await commandLine.run(all, { env, stdin });

    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toContain(token);
    expect(existsSync(file)).toBe(false);
  });

  it('saves nothing for a server that is no registry', async () => {
    const { env, file } = makeHome();
    const server = await startScripted(json(200, { hello: 'world' }));

    const { code, stderr } = await commandLine.run(['login', '--url', server.url], { env });

    await server.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`${server.url} is no package registry.`);
    expect(existsSync(file)).toBe(false);
  });

  it('sends and saves no token if authentication is off', async () => {
    const { env, file } = makeHome();
    const server = await startScripted(
      json(200, { name: 'package-registry', version: '1.0.0', authentication: 'disabled' }),
    );

    const { code } = await commandLine.run(['login', '--url', server.url], { env, stdin: token });

    await server.close();
    expect(code).toBe(0);
    expect(server.received).toHaveLength(1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...{ url: server.url, tokens: { [server.url]: null } },
    });
  });

  it('keeps the old settings if the file is not writable', async () => {
    const { env, folder, file } = makeHome();
    mkdirSync(join(folder, 'config.json'), { recursive: true });

    const { code, stderr } = await commandLine.run(['login', '--url', registry.url], {
      env: { ...env, REGISTRY_URL: registry.url },
      stdin: token,
    });

    expect(code).toBe(2);
    expect(stderr).toContain(`${file} cannot be read`);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('writes to the target of a link', async () => {
    const { env, folder, file } = makeHome();
    const elsewhere = join(commandLine.folder, 'kept.json');
    mkdirSync(folder);
    writeFileSync(elsewhere, '{}');
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, file);

    await commandLine.run(['login', '--url', registry.url], { env, stdin: token });

    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({
      ...{ url: registry.url, tokens: { [registry.url]: token } },
    });
    expect(modeOf(elsewhere)).toBe(0o600);
  });
});

it('logout deletes the token, keeps the URL, and names a token still in use', async () => {
  const { env, file } = makeHome();
  await commandLine.run(['login', '--url', registry.url], { env, stdin: token });

  const first = await commandLine.run(['logout'], { env: { ...env, REGISTRY_TOKEN: 'x' } });
  const second = await commandLine.run(['logout'], { env });

  expect(first.stdout).toMatch(/^Token +removed$/m);
  expect(first.stderr).toBe('warning: REGISTRY_TOKEN is set, and commands still use it.\n');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...{ url: registry.url, tokens: { [registry.url]: null } },
  });
  expect(second.stdout).toMatch(/^Token +there was none$/m);
  const { code, stderr } = await commandLine.run(['whoami'], { env });
  expect(code).toBe(1);
  expect(stderr).toContain('registry login');
});

it('keeps the tokens of several registries apart, each named by its host', async () => {
  const { env, file } = makeHome();
  const other = await startScripted(
    json(200, { name: 'package-registry', version: '1.0.0', authentication: 'disabled' }),
    json(200, { packages: [], total: 0, limit: 100, offset: 0 }),
    json(401, { code: 'missing_token' }),
  );
  const { host } = new URL(registry.url);
  await commandLine.run(['login', '--url', registry.url], { env, stdin: token });
  await commandLine.run(['login', '--url', other.url], { env });

  const atDefault = await commandLine.run(['list'], { env });
  const atHost = await commandLine.run(['whoami', '--url', host], { env });
  await commandLine.run(['approve', 'left-pad'], { env });
  const removed = await commandLine.run(['logout', '--url', host], { env });

  await other.close();
  expect(atDefault.stderr).toBe('There is nothing here yet.\n');
  expect(atHost.stdout).toMatch(/^Label +ana$/m);
  expect(other.received).toHaveLength(3);
  expect(JSON.stringify(other.received)).not.toContain(token);
  expect(removed.stdout).toMatch(/^Token +removed$/m);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...{ url: other.url, tokens: { [registry.url]: null, [other.url]: null } },
  });
});

it('whoami shows the sources of URL and token, and the sources that they override', async () => {
  const { env, file } = makeHome();
  await commandLine.run(['login', '--url', registry.url], { env, stdin: token });

  const { stdout } = await commandLine.run(['whoami', '--url', registry.url, '--json'], {
    env: { ...env, REGISTRY_URL: 'http://127.0.0.1:9', REGISTRY_TOKEN: token },
  });

  expect(JSON.parse(stdout)).toMatchObject({
    url: registry.url,
    url_from: `--url (overrides REGISTRY_URL and ${file})`,
    label: 'ana',
    token_from: `REGISTRY_TOKEN (overrides ${file})`,
  });
});

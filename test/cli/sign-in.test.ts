import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestIssuer } from '../support/issuer.ts';
import { providerClientId, startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { signInAt } from '../support/provider-pages.ts';
import { TestRegistry } from '../support/registry.ts';
import { runSignIn } from '../support/sign-in-command.ts';
import { trustIssuers } from '../support/trusted-issuers.ts';

const listed = 'listed-token-of-more-than-thirty-two-characters';

let commandLine: CommandLine;
let jobs: TestIssuer;
beforeAll(async () => {
  jobs = await TestIssuer.start();
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await jobs.close();
});

/** A separate home for each test, with the path of its config file. */
const makeHome = () => {
  const home = mkdtempSync(join(commandLine.folder, 'home-'));
  return { env: { XDG_CONFIG_HOME: home }, file: join(home, 'registry', 'config.json') };
};
type Home = ReturnType<typeof makeHome>;

const readSaved = ({ file }: Home) => JSON.parse(readFileSync(file, 'utf8'));

/** Starts a provider, and a registry that trusts it. */
const startBoth = async (options: Parameters<typeof startProvider>[0]) => {
  const provider = await startProvider(options);
  const issuers = trustIssuers(provider.url, jobs.url);
  const registry = await TestRegistry.start({ tokens: `ci/submit:${listed}`, issuers });
  return {
    ...{ provider, registry },
    close: () => Promise.all([registry.close(), provider.close()]),
  };
};
type Both = Awaited<ReturnType<typeof startBoth>>;

/** Changes the sign-in of a home as a test needs it. */
const changeSignIn = (home: Home, { url }: TestRegistry, change: object): void => {
  const saved = readSaved(home);
  Object.assign(saved.sign_ins[url], change);
  writeFileSync(home.file, JSON.stringify(saved));
};

/** Writes a config file for a home without one. */
const writeConfig = (file: string, config: object): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
};

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

const countRenewals = ({ requests }: TestProvider): number =>
  requests.filter((path) => path === '/token').length;

const secretsOf = (home: Home, { url }: TestRegistry): string[] => {
  const { id_token, refresh_token } = readSaved(home).sign_ins[url];
  return [refresh_token, ...id_token.split('.').slice(1)];
};

describe.each([
  ['on any device, with a code', true],
  ['in a browser of the machine', false],
])('login --sso %s', (_, deviceFlow) => {
  let both: Both;
  beforeAll(async () => {
    both = await startBoth({ deviceFlow });
  });
  afterAll(() => both.close());

  it('saves the sign-in for the owner only, and later commands use it', async () => {
    const { registry, provider } = both;
    const home = makeHome();

    const { code, stdout, stderr, page } = await runSignIn(
      commandLine,
      ['--url', registry.url, '--json'],
      home,
    );
    const whoami = await commandLine.runAlone(['whoami', '--json', '--debug'], home);

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') });
    expect(page.status).toBe(200);
    if (!deviceFlow) expect(page.text).toBe('You are signed in. You can close this page.\n');
    expect(stderr.includes('The code of this sign-in is ')).toBe(deviceFlow);
    const caller = { label: 'ana@example.com', scopes: ['submit', 'review'], issuer: provider.url };
    expect(JSON.parse(stdout)).toEqual({
      ...{ url: registry.url, authentication: 'enabled', ...caller, file: home.file },
      ...{ expires_at: expect.any(String), fingerprint: expect.any(String) },
    });
    expect(readSaved(home)).toEqual({
      url: registry.url,
      tokens: { [registry.url]: null },
      sign_ins: {
        [registry.url]: {
          ...{ id_token: expect.any(String), refresh_token: expect.any(String) },
          expires_at: JSON.parse(stdout).expires_at,
          ...{ issuer: provider.url, client_id: providerClientId },
        },
      },
    });
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(whoami.stdout)).toMatchObject({
      ...caller,
      token_from: `registry login --sso in ${home.file}`,
    });
    expect(whoami.stderr).toContain(`ID token ******** from registry login --sso in ${home.file}`);
    for (const secret of secretsOf(home, registry)) {
      expect(stdout + stderr + whoami.stdout + whoami.stderr).not.toContain(secret);
    }
  });

  it('saves nothing if the user cancels', async () => {
    const { registry, provider } = both;
    const home = makeHome();
    const cancel = (address: string) => signInAt(address, 'ana', { cancel: true });

    const { code, stderr } = await runSignIn(commandLine, ['--url', registry.url], home, cancel);

    expect(code).toBe(1);
    expect(stderr).toContain(`error: ${provider.url} refused the sign-in: access_denied`);
    expect(existsSync(home.file)).toBe(false);
  });

  it('ends with 130 at Ctrl-C, and saves nothing', async () => {
    const home = makeHome();
    const args = ['login', '--sso', '--url', both.registry.url];
    const terminal = commandLine.inTerminal(args, home);

    await terminal.shows('Opening http');
    terminal.type('\u0003');

    expect(await terminal.end()).toBe(130);
    expect(existsSync(home.file)).toBe(false);
  });
});

describe('login --sso', () => {
  let both: Both;
  beforeAll(async () => {
    both = await startBoth({ deviceFlow: false });
  });
  afterAll(() => both.close());

  const url = () => both.registry.url;

  it('replaces a token, and a token replaces the sign-in', async () => {
    const home = makeHome();
    const stdin = listed;
    await commandLine.run(['login', '--url', url()], { ...home, stdin });

    await runSignIn(commandLine, [], home);
    const signedIn = readSaved(home);
    await commandLine.run(['login', '--url', url()], { ...home, stdin });

    expect(signedIn.tokens).toEqual({ [url()]: null });
    expect(Object.keys(signedIn.sign_ins)).toEqual([url()]);
    expect(readSaved(home)).toEqual({ url: url(), tokens: { [url()]: listed } });
  });

  it('ignores answers of other sign-ins, and knows no other page', async () => {
    const home = makeHome();
    const statuses: number[] = [];

    const { code } = await runSignIn(commandLine, ['--url', url()], home, async (address) => {
      const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
      expect(callback).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      const others = [
        ...[`${callback}?code=x&state=wrong`, callback, `${callback}x`],
        new URL('/favicon.ico', callback).href,
      ];
      for (const other of others) statuses.push((await fetch(other)).status);
      statuses.push((await fetch(callback, { method: 'POST' })).status);
      return signInAt(address, 'ana');
    });

    expect(code).toBe(0);
    expect(statuses).toEqual([400, 400, 404, 404, 404]);
  });

  it('saves nothing for an account that the registry refuses', async () => {
    const home = makeHome();

    const { code, stderr } = await runSignIn(commandLine, ['--url', url()], home, (address) =>
      signInAt(address, 'stranger'),
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/holder has no access.*email/);
    expect(stderr).toContain('The token came from the sign-in.');
    expect(existsSync(home.file)).toBe(false);
  });

  it('comes back to a given port of localhost', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const args = ['--url', url(), '--port', String(port)];
    const home = makeHome();

    const { code, page } = await runSignIn(commandLine, args, home, (address) => {
      const callback = new URL(address).searchParams.get('redirect_uri');
      expect(callback).toBe(`http://localhost:${port}/callback`);
      return signInAt(address, 'ana');
    });

    expect([code, page.status]).toEqual([0, 200]);
  });

  it.each([
    [['login', '--port', '8765'], '--port needs --sso.'],
    [['login', '--sso', '--port', '0'], 'It must be a port.'],
  ])('refuses %o', async (args, said) => {
    const { code, stderr } = await commandLine.run(args, makeHome());

    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('refuses a token beside it', async () => {
    const args = ['login', '--sso', '--url', url(), '--token', listed];

    const { code, stderr } = await commandLine.run(args, makeHome());

    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Give only one of --sso and --token.'),
    ]);
  });

  it('says that a registry has no sign-in by accounts', async () => {
    const registry = await TestRegistry.start({ tokens: `ana:${listed}` });

    const { code, stderr } = await commandLine.run(['login', '--sso', '--url', registry.url]);

    expect(code).toBe(2);
    expect(stderr).toContain(
      `${registry.url} has no sign-in by accounts. Use a token: registry login`,
    );
    await registry.close();
  });

  it('says that the provider does not answer', async () => {
    const issuers = trustIssuers('http://127.0.0.1:9', jobs.url);
    const registry = await TestRegistry.start({ tokens: `ana:${listed}`, issuers });

    const { code, stderr } = await commandLine.run(['login', '--sso', '--url', registry.url]);

    expect(code).toBe(3);
    expect(stderr).toContain('The sign-in at http://127.0.0.1:9 failed: it cannot be reached: ');
    await registry.close();
  });
});

describe('a saved sign-in', () => {
  let both: Both;
  let home: Home;
  beforeAll(async () => {
    both = await startBoth({ deviceFlow: false });
    home = makeHome();
    await runSignIn(commandLine, ['--url', both.registry.url], home);
  });
  afterAll(() => both.close());

  const whoami = (at: Home = home) => commandLine.runAlone(['whoami', '--json'], at);

  /** A home with the current sign-in, which a test may spoil. */
  const copyHome = (): Home => {
    const copy = makeHome();
    const { id_token, ...saved } = readSaved(home).sign_ins[both.registry.url];
    writeConfig(copy.file, {
      url: both.registry.url,
      tokens: {},
      sign_ins: { [both.registry.url]: { id_token, ...saved } },
    });
    return copy;
  };

  it('is not renewed while the ID token is valid', async () => {
    const before = countRenewals(both.provider);

    const { code } = await whoami();

    expect([code, countRenewals(both.provider)]).toEqual([0, before]);
  });

  it('is renewed in silence within the last minute, and saved', async () => {
    const before = readSaved(home).sign_ins[both.registry.url];
    changeSignIn(home, both.registry, { expires_at: soon(30_000) });

    const { code, stderr } = await whoami();

    const after = readSaved(home).sign_ins[both.registry.url];
    expect([code, stderr]).toEqual([0, '']);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(Date.parse(after.expires_at)).toBeGreaterThan(Date.parse(before.expires_at) - 1);
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${home.file}.lock`)).toBe(false);
  });

  it('outlives commands that renew it at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const before = countRenewals(both.provider);
      changeSignIn(home, both.registry, { expires_at: soon(0) });

      const ended = await Promise.all(Array.from({ length: 4 }, () => whoami()));

      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array(4).fill([0, '']));
      expect(countRenewals(both.provider)).toBe(before + 1);
    }
  });

  it('is used as another command has saved it, if the provider refuses the grant', async () => {
    const spoiled = copyHome();
    const { url } = both.registry;
    const fresh = readSaved(home).sign_ins[url];
    changeSignIn(spoiled, both.registry, { refresh_token: 'used', expires_at: soon(0) });
    // The other command saves its answer while this one waits for the provider.
    both.provider.beforeToken = () => changeSignIn(spoiled, both.registry, fresh);

    const { code } = await whoami(spoiled);

    both.provider.beforeToken = undefined;
    expect(code).toBe(0);
  });

  it('that cannot be renewed is refused like a token, with the next step', async () => {
    const spoiled = copyHome();
    changeSignIn(spoiled, both.registry, { refresh_token: 'unknown', expires_at: soon(0) });

    const { code, stderr } = await commandLine.runAlone(['whoami'], spoiled);
    const asJson = await commandLine.runAlone(['whoami', '--json'], spoiled);

    expect(code).toBe(1);
    expect(stderr).toBe('error: Your sign-in has expired. Run registry login --sso.\n');
    expect(JSON.parse(asJson.stderr)).toEqual({
      ...{ status: null, code: 'invalid_token' },
      detail: 'Your sign-in has expired. Run registry login --sso.',
    });
  });

  it('without a refresh token ends with its ID token', async () => {
    const spoiled = copyHome();
    changeSignIn(spoiled, both.registry, { refresh_token: null, expires_at: soon(30_000) });
    const before = await whoami(spoiled);
    changeSignIn(spoiled, both.registry, { expires_at: soon(0) });

    const after = await whoami(spoiled);

    expect([before.code, after.code]).toEqual([0, 1]);
  });

  it('is used while its provider does not answer, and then is a failure', async () => {
    const spoiled = copyHome();
    const issuer = 'http://127.0.0.1:9';
    changeSignIn(spoiled, both.registry, { issuer, expires_at: soon(30_000) });
    const before = await whoami(spoiled);
    changeSignIn(spoiled, both.registry, { expires_at: soon(0) });

    const after = await commandLine.runAlone(['whoami'], spoiled);

    expect([before.code, after.code]).toEqual([0, 3]);
    expect(after.stderr).toContain(
      'error: Your sign-in at http://127.0.0.1:9 could not be renewed: it cannot be reached: ',
    );
  });

  it('gives way to tokens of flags and variables', async () => {
    const { stdout } = await commandLine.runAlone(['whoami', '--json'], {
      env: { ...home.env, REGISTRY_TOKEN: listed },
    });

    expect(JSON.parse(stdout)).toMatchObject({
      label: 'ci',
      token_from: `REGISTRY_TOKEN (overrides registry login --sso in ${home.file})`,
    });
  });

  it('is not sent with --dry-run, which names its source', async () => {
    const { stdout } = await commandLine.runAlone(
      ['submit', 'npm:left-pad@1.0.0', '--dry-run', '--json'],
      home,
    );

    expect(JSON.parse(stdout).headers).toMatchObject({
      Authorization: `Bearer (from registry login --sso in ${home.file})`,
    });
  });

  it('is removed and revoked by logout', async () => {
    const saved = readSaved(home).sign_ins[both.registry.url];

    const { stdout, stderr } = await commandLine.runAlone(['logout'], home);

    expect(stdout).toMatch(/^Token +there was none\nSign in +removed$/m);
    expect(stderr).toBe('');
    expect(readSaved(home)).toEqual({
      ...{ url: both.registry.url, tokens: { [both.registry.url]: null } },
    });
    const again = makeHome();
    writeConfig(again.file, {
      ...{ url: both.registry.url, tokens: {} },
      sign_ins: { [both.registry.url]: { ...saved, expires_at: soon(0) } },
    });
    expect((await whoami(again)).code).toBe(1);
  });

  it('is removed by logout, with a warning, if the provider does not answer', async () => {
    const offline = makeHome();
    writeConfig(offline.file, {
      ...{ url: both.registry.url, tokens: {} },
      sign_ins: {
        [both.registry.url]: {
          ...{ id_token: 'a', refresh_token: 'b', expires_at: soon(0) },
          ...{ issuer: 'http://127.0.0.1:9', client_id: 'c' },
        },
      },
    });

    const { code, stderr } = await commandLine.runAlone(['logout'], offline);

    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: http:\/\/127\.0\.0\.1:9 did not revoke the sign-in: it cannot be reached: .*\. It expires by itself\.\n$/,
    );
    expect(readSaved(offline)).not.toHaveProperty('sign_ins');
  });
});

it('renews the sign-in for each command with ID tokens of a few seconds', async () => {
  const { registry, provider, close } = await startBoth({ deviceFlow: false, idTokenSeconds: 20 });
  const home = makeHome();
  await runSignIn(commandLine, ['--url', registry.url], home);
  const before = countRenewals(provider);

  const what = ['--ecosystem', 'npm', '--name', 'short-lived', '--version', '1.0.0'];
  const submit = ['submit', ...what, '--license', 'MIT', '--by', 'bo@example.com'];
  const first = await commandLine.runAlone(submit, home);
  const second = await commandLine.runAlone(['show', 'short-lived'], home);

  expect([first.code, second.code]).toEqual([0, 0]);
  expect(second.stdout).toMatch(/^Submitted by +ana@example\.com for bo@example\.com$/m);
  expect(countRenewals(provider)).toBeGreaterThan(before);
  await close();
});

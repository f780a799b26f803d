import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseTokenList } from '../../shared/domain/tokens/token-list.ts';
import { findToken } from '../../shared/platform/auth/find-token.ts';
import { CommandLine } from '../support/command-line.ts';
import { problem, startScripted } from '../support/scripted-server.ts';

/** Nothing listens there: these commands must not send requests. */
const nowhere = 'http://127.0.0.1:9';
const secret = 'a-token-that-nobody-may-ever-see-printed';

let registry: CommandLine;
beforeAll(() => {
  registry = CommandLine.install();
});
afterAll(() => registry.remove());

const writeConfig = (name: string, content: string, mode = 0o600): Record<string, string> => {
  const home = join(registry.folder, name);
  mkdirSync(join(home, 'registry'), { recursive: true });
  const file = join(home, 'registry', 'config.json');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return { XDG_CONFIG_HOME: home };
};

const dryRun = ['reject', 'left-pad', '--reason', 'no', '--dry-run', '--json'];

describe('registry', () => {
  it('shows its version in little more time than a program start', async () => {
    // Time on the processor, beside that of an empty program: a slow machine takes longer for both.
    const meter = "process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())))";
    const env = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(meter)}`,
      // Without a compile cache.
      NODE_DISABLE_COMPILE_CACHE: '1',
    };
    const timeOf = (stderr: string): number => {
      const { user, system } = JSON.parse(stderr);
      return user + system;
    };
    const [empty, times]: [number[], number[]] = [[], []];
    for (let run = 0; run < 5; run += 1) {
      const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
      empty.push(timeOf(spawnSync(process.execPath, ['--eval', '0'], options).stderr));
      const { code, stdout, stderr } = await registry.runAlone(['--version'], { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageJson.version}\n` });
      times.push(timeOf(stderr));
    }

    expect(Math.min(...times)).toBeLessThan(7 * Math.min(...empty));
  });

  it('is a program that a shell can start', () => {
    const { stdout } = spawnSync(registry.bundle, ['--version'], { encoding: 'utf8' });

    expect(stdout).toBe(`${packageJson.version}\n`);
  });

  it('shows its help on standard output', async () => {
    const { code, stdout, stderr } = await registry.run(['--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(join(registry.folder, '.config', 'registry', 'config.json'));
  });

  it('shows its help for the word help', async () => {
    const [help, flag] = await Promise.all([
      registry.run(['help', 'show']),
      registry.run(['show', '--help']),
    ]);
    const group = await registry.run(['help', 'scan', 'show']);

    expect(group.stdout).toContain('Usage: registry scan show');

    expect(help).toEqual(flag);
  });

  it.each(['127.0.0.1:8080', 'localhost:8080'])(
    'refuses a proxy that is no URL, and hides it: %s',
    async (proxy) => {
      const env = { HTTPS_PROXY: proxy };

      const { code, stderr } = await registry.run(['status', '--url', nowhere], { env });

      expect(code).toBe(2);
      expect(stderr).toContain('HTTPS_PROXY is no URL such as');
      expect(stderr).not.toContain(proxy);
    },
  );

  it('explains a command with examples', async () => {
    const { code, stdout } = await registry.run(['approve', '--help']);

    expect(code).toBe(0);
    expect(stdout).toContain('Examples:\n  registry approve left-pad\n');
    expect(stdout).toContain('--token <token>');
  });

  it.each<[string, string[], string]>([
    ['no command', [], 'Usage: registry'],
    ['half a command', ['scan'], 'Usage: registry scan'],
    ['an unknown command', ['shwo', 'x'], "unknown command 'shwo' (Did you mean show?)"],
    [
      'help of an unknown command',
      ['help', 'scan', 'foo'],
      'There is no command "scan foo".\nRun registry --help for',
    ],
    ['a wrong version', ['--verson'], "unknown option '--verson' (Did you mean --version?)"],
    ['an unknown flag', ['show', 'x', '--verbose'], "unknown option '--verbose'"],
    ['an unknown value', ['list', '--status', 'open'], 'pending, approved, rejected'],
    ['a number that is none', ['list', '--limit', 'all'], 'It must be a whole number'],
    ['no time at all', ['list', '--timeout', '0'], 'a whole number from 1 to 86400'],
    ['more than a day', ['list', '--timeout', '86401'], 'a whole number from 1 to 86400'],
    ['no package', ['show'], 'registry show --help'],
    ['a name that a path would lose', ['show', '..'], 'It names nothing'],
    ['too many packages', ['versions', 'a', 'b'], 'too many arguments'],
    [
      'two formats',
      ['list', '--json', '--jsonl', '--url', nowhere],
      'only one of --json, --jsonl and -o name',
    ],
    ['no registry', ['list'], 'REGISTRY_URL'],
    ['a registry that is no URL', ['list', '--url', 'example.com'], '--url'],
    ['a password in the URL', ['list', '--url', 'http://u:p@x'], 'user or password'],
    ['an incomplete submission', ['submit', '--url', nowhere, '--name', 'x'], '--version'],
    ['a file that is not there', ['submit', '--url', nowhere, '--file', 'none.json'], 'none.json'],
    [
      'an override for no reason',
      ['approve', 'x', '--override', '--url', nowhere],
      'needs --reason',
    ],
    [
      'an override of what is no issue',
      ['approve', 'x', '--override', 'scan_failed,scan_faild', '--reason', 'y', '--url', nowhere],
      '"scan_faild" is none of scan_failed, license_rejected,',
    ],
    [
      'a package in place of what is overridden',
      ['approve', '--override', 'x', '--reason', 'y', '--url', nowhere],
      'Put the package before --override.',
    ],
    ['a review without a terminal', ['review', '--url', nowhere], 'list --status pending'],
    ['an unknown shell', ['completion', 'tcsh'], 'bash, zsh, fish'],
    ['the flag of other programs', ['list', '--format', 'json', '--url', nowhere], 'add --json'],
    ['a name in a list', ['list', 'lodash', '--url', nowhere], 'registry search NAME'],
    ['a host without a login', ['list', '--url', 'x.example.com'], 'No login for x.example.com'],
    ['a label that no list can hold', ['token', 'new', '--label', 'a:b'], '--label'],
  ])('refuses %s with exit code 2 and says what is right', async (_, args, expected) => {
    const { code, stdout, stderr } = await registry.run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
  });

  it('reports usage errors as JSON', async () => {
    const { code, stdout, stderr } = await registry.run(['list', '--json']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'wrong_usage' });
  });

  it('names the missing fields of a manifest, and their flags', async () => {
    const file = join(registry.folder, 'pyproject.toml');
    writeFileSync(file, '[project]\nname = "widget"\ndynamic = ["version"]\n');
    const args = ['submit', '--from', file, '--url', nowhere, '--dry-run'];

    const { code, stderr } = await registry.run(args);
    const completed = await registry.run([...args, '--version', '1.0']);

    expect(code).toBe(2);
    expect(stderr).toContain('or declares it dynamic. Add --version.');
    expect(completed.code).toBe(0);
  });

  it('accepts a JSON file with a byte order mark', async () => {
    const file = join(registry.folder, 'marked.json');
    writeFileSync(file, '\ufeff{"ecosystem": "npm", "name": "x", "version": "1.0.0"}');

    const { code } = await registry.run(['submit', '--file', file, '--url', nowhere, '--dry-run']);

    expect(code).toBe(0);
  });

  it('exits with 3, and shows a long retry time', async () => {
    const server = await startScripted(problem(429, 'throttled', { 'Retry-After': '45' }));

    const { code, stderr } = await registry.run(['list', '--url', server.url]);

    await server.close();
    expect(code).toBe(3);
    expect(stderr).toContain('Try again in 45 s.\n');
    expect(server.received).toHaveLength(1);
  });

  it('exits with 3 if the registry is unreachable, and shows its URL', async () => {
    const { code, stderr } = await registry.run(['status'], { env: { REGISTRY_URL: nowhere } });

    expect(code).toBe(3);
    expect(stderr).toContain('127.0.0.1:9');
    expect(stderr).toContain('REGISTRY_URL');
  });
});

describe('output that cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('exits with 3 and says why', async () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(registry.bundle, ['completion', 'bash'], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });

    closeSync(full);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^error: the result cannot be written: ENOSPC.*\n$/);
  });

  it('keeps the exit code of a failure if nobody reads the error', async () => {
    const child = registry.start(['show']);
    child.stderr.destroy();

    const [code] = await once(child, 'close');

    expect(code).toBe(2);
  });
});

describe('settings', () => {
  it('come from flags before the environment before the config file', async () => {
    const config = writeConfig(
      'all',
      JSON.stringify({
        ...{ url: 'http://config', tokens: { 'http://config': 'ct', 'http://env': 'other' } },
      }),
    );
    const env = { ...config, REGISTRY_URL: 'http://env', REGISTRY_TOKEN: 'et' };

    const runs = await Promise.all([
      registry.run(dryRun, { env: config }),
      registry.run(dryRun, { env }),
      registry.run([...dryRun, '--url', 'http://flag', '--token', 'ft'], { env }),
      registry.run(dryRun, { env: { ...config, REGISTRY_URL: '', REGISTRY_TOKEN: '' } }),
    ]);

    const file = join(registry.folder, 'all', 'registry', 'config.json');
    const used = runs.map(({ stdout }) => {
      const { url, headers } = JSON.parse(stdout);
      return [new URL(url).host, headers['X-API-Key']];
    });
    expect(used).toEqual([
      ['config', `(from ${file})`],
      ['env', '(from REGISTRY_TOKEN)'],
      ['flag', '(from --token)'],
      ['config', `(from ${file})`],
    ]);
  });

  it('cause a warning if everyone can read the token in the config file', async () => {
    const content = JSON.stringify({ url: nowhere, tokens: { [nowhere]: secret } });

    const open = await registry.run(dryRun, { env: writeConfig('open', content, 0o644) });
    const closed = await registry.run(dryRun, { env: writeConfig('closed', content, 0o600) });
    const harmless = writeConfig('harmless', JSON.stringify({ url: nowhere }), 0o644);

    expect(open.code).toBe(0);
    expect(open.stderr).toContain('chmod 600');
    expect(closed.stderr).toBe('');
    expect((await registry.run(dryRun, { env: harmless })).stderr).toBe('');
  });

  it.each([
    ['{"url": ', ''],
    ['{"uri": "http://x"}', 'has unknown keys (uri); it '],
    [`{"tokens": {"http://x": ["${secret}"]}}`, ''],
  ])(
    'are not guessed from an invalid config file, and its content is not shown: %s',
    async (content, fault) => {
      const { code, stderr } = await registry.run(dryRun, { env: writeConfig('wrong', content) });

      expect(code).toBe(2);
      expect(stderr).toContain(`config.json ${fault}must be JSON`);
      expect(stderr).not.toContain(secret);
    },
  );

  it.each<[string, string[], Record<string, string>]>([
    ['a dry run', dryRun, {}],
    ['a dry run for people', dryRun.slice(0, -1), {}],
    ['status', ['status'], {}],
    ['a wrong flag', ['status', '--wrong'], {}],
    ['a token that no header can carry', ['status'], { REGISTRY_TOKEN: `${secret}\n` }],
  ])('never show the token: %s', async (_, args, env) => {
    const all = { REGISTRY_URL: nowhere, REGISTRY_TOKEN: secret, ...env };

    const { stdout, stderr } = await registry.run(args, { env: all });

    expect(`${stdout}${stderr}`).not.toBe('');
    expect(`${stdout}${stderr}`).not.toContain(secret);
  });
});

describe('a token that no header can carry', () => {
  const env = { REGISTRY_URL: nowhere, REGISTRY_TOKEN: '…' };

  it.each([['list'], ['show', 'left-pad'], ['status']])('does not affect %s', async (...args) => {
    const { stderr } = await registry.run(args, { env });

    expect(stderr).toContain('cannot be reached');
  });

  it('refuses writes before any request', async () => {
    const { code, stderr } = await registry.run(['approve', 'left-pad'], { env });

    expect(code).toBe(2);
    expect(stderr).toContain('The token from REGISTRY_TOKEN must be letters');
  });
});

describe('token new', () => {
  it('creates a token that matches its entry', async () => {
    const { code, stdout } = await registry.run(['token', 'new', '--label', 'ci', '--json']);

    const { token, entry } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(entry).not.toContain(token);
    expect(findToken(parseTokenList(entry), token)).toMatchObject({ label: 'ci' });
  });

  it.each(['submit', 'review'])('creates a token for only one scope: %s', async (scope) => {
    const args = ['token', 'new', '--label', 'ci', '--scope', scope, '--json'];

    const { code, stdout } = await registry.run(args);

    const { token, entry } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(findToken(parseTokenList(entry), token)).toMatchObject({ label: 'ci', scopes: [scope] });
  });

  it.each([
    [['--scope', 'submit'], '--scope needs --label'],
    [['--label', 'ci', '--scope', 'sumbit'], 'Allowed choices are submit, review'],
    [['--label', 'team/ci'], 'without colons, commas, slashes'],
    [['--label', 'ci\u2044submit', '--scope', 'submit'], 'signs that look like a slash'],
    [['--label', 'ci-submit'], '"ci-submit" ends in the name of a scope'],
  ])('creates none for %j', async (args, said) => {
    const { code, stdout, stderr } = await registry.run(['token', 'new', ...args]);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  it('creates a new one each time, and explains its use', async () => {
    const first = await registry.run(['token', 'new']);
    const second = await registry.run(['token', 'new']);

    expect(first.stdout).not.toBe(second.stdout);
    expect(first.stdout).toMatch(/^Token {2}\S{43}\nEntry {2}sha256:[0-9a-f]{64};created=\S+Z\n$/);
    expect(first.stderr).toContain('REGISTRY_TOKEN');
  });
});

describe('completion', () => {
  const candidates = async (...typed: readonly string[]): Promise<string[]> => {
    const { stdout } = await registry.run(['__complete', '--', ...typed]);
    const lines = stdout.split('\n').filter(Boolean);
    return lines.map((line) => line.split('\t')[0] ?? '');
  };

  it.each<[string[], string[]]>([
    [['s'], ['show', 'search', 'submit', 'statistics', 'scan', 'status']],
    [['view', '--stat'], ['--status']],
    [['events', '--fo'], ['--follow']],
    [
      ['approve', 'x', '--exp'],
      ['--expected-status', '--expected-evidence-version', '--expires'],
    ],
    [
      ['approve', 'x', '--override', 'scan'],
      ['scan_failed', 'scan_missing'],
    ],
    [['approve', 'x', '--override', '--rea'], ['--reason']],
    [['scan', 'sh'], ['show']],
    [['--json', 'rev'], ['review']],
    [['list', '--st'], ['--status']],
    [['list', '--he'], ['--help']],
    [['--ve'], ['--version']],
    [['list', '--status=app'], ['--status=approved']],
    [
      ['list', '--status', ''],
      ['pending', 'approved', 'rejected'],
    ],
    [['list', '--status', 'pending', '--ecosystem', 'p'], ['pypi']],
    [['submit', '--name', 'list', '--ur'], ['--url']],
    [['completion', 'z'], ['zsh']],
    [['show', ''], []],
    [['show', 'lodash', '--reason', ''], []],
  ])('completes %j', async (typed, expected) => {
    expect(await candidates(...typed)).toEqual(expected);
  });

  it.each(['bash', 'zsh', 'fish'])(
    'has a script for %s, which requests candidates',
    async (shell) => {
      const { code, stdout } = await registry.run(['completion', shell]);

      expect(code).toBe(0);
      expect(stdout).toContain('registry __complete -- ');
    },
  );

  const hasBash = spawnSync('bash', ['--version']).status === 0;
  it.skipIf(!hasBash)('works in a real bash', async () => {
    const { stdout: script } = await registry.run(['completion', 'bash']);
    const program = `
      registry() { "${process.execPath}" "${registry.bundle}" "$@"; }
      ${script}
      complete_line() { COMP_LINE=$1 COMP_POINT=\${#1}; _registry; echo "\${COMPREPLY[@]}"; }
      complete_line 'registry list --status p'
      complete_line 'registry list --status=a'
      complete_line 'registry list -e '`;

    const { stdout } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });

    expect(stdout).toBe('pending\napproved\npypi npm maven docker\n');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsHooks } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

const hooks: AwsHooks = {};
let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ hooks, tokens: `reviewer:${token}` });
  commandLine = CommandLine.install();
});
afterEach(() => {
  hooks.onRequest = undefined;
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], options: RunOptions = {}) =>
  commandLine.run(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...options.env },
  });

let count = 0;
const freshNames = (length: number): string[] =>
  Array.from({ length }, () => {
    count += 1;
    return `subject-${count}`;
  });
const toLine = (name: string): string => `npm:${name}@1.0.0`;

const write = (text: string): string => {
  count += 1;
  const file = join(commandLine.folder, `packages-${count}`);
  writeFileSync(file, text);
  return file;
};

const statusOf = async (name: string): Promise<string> =>
  (await registry.get(packagePath(name))).body.status;

/** Which requests the registry received while a command ran. */
const pathsDuring = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const before = registry.logs.length;
  await work();
  const isNew = () =>
    registry.logs.slice(before).flatMap(({ event, path }) => (event === 'request' ? [path] : []));
  await expect.poll(() => isNew().length).toBeGreaterThan(0);
  return isNew();
};

describe('submit', () => {
  it('accepts several packages, in short and as package URLs', async () => {
    const [one, other] = freshNames(2) as [string, string];

    const { code, stdout, stderr } = await run([
      ...['submit', toLine(one), `pkg:npm/%40acme/${other}@2.0.0`, 'maven:org.acme:lib@1.0.0'],
      ...['--license', 'MIT'],
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '3 pending.\n' });
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^OUTCOME +PACKAGE/),
      expect.stringMatching(`^pending +npm:${one}@1.0.0`),
      expect.stringMatching(`^pending +npm:@acme/${other}@2.0.0`),
      expect.stringMatching(/^pending +maven:org.acme:lib@1.0.0/),
      '',
    ]);
    const { body } = await registry.get(packagePath(`@acme/${other}`));
    expect(body).toMatchObject({ version: '2.0.0', license: 'MIT' });
  });

  it.each([
    ['lines', (names: string[]) => ['# what we need', '', ...names.map(toLine)].join('\r\n')],
    [
      'lines of JSON',
      (names: string[]) =>
        names
          .map((name) =>
            JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0', status: 'approved' }),
          )
          .join('\n'),
    ],
    ['a JSON list', (names: string[]) => JSON.stringify(names.map(toLine))],
    [
      'a request',
      (names: string[]) =>
        JSON.stringify(
          { packages: names.map((name) => ({ type: 'npm', name, version: '1.0.0' })) },
          null,
          2,
        ),
    ],
  ])('accepts a file of %s', async (_, format) => {
    const names = freshNames(3);

    const { code, stdout } = await run(['submit', '-f', write(format(names)), '--jsonl']);

    expect(code).toBe(0);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject(
      names.map((name) => ({ ecosystem: 'npm', name, version: '1.0.0', status: 201 })),
    );
  });

  it('submits a file with one package like a single package', async () => {
    const [one] = freshNames(1) as [string];

    const paths = await pathsDuring(async () => {
      const { code, stdout } = await run(['submit', '-', '--json'], { stdin: `${toLine(one)}\n` });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ name: one, status: 'pending' });
    });

    expect(paths).toEqual(['/api/v1/packages']);
  });

  it('lists each refused package, exits with 1, and marks the repeated answers of a second run', async () => {
    const [one, other] = freshNames(2) as [string, string];
    await registry.submit({ ecosystem: 'npm', name: other, version: '1.0.0' }, { token });
    const args = ['submit', toLine(one), toLine(other), 'npm:not a name@1.0.0'];

    const first = await run(args);
    const second = await run(args);

    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(new RegExp(`pending +npm:${one}@1.0.0`));
    expect(first.stdout).toMatch(/refused +npm:not a name@1.0.0 +name must be/);
    expect(first.stderr).toContain('1 pending, 2 refused.\n');
    expect(first.stderr).toContain('error: 2 of 3 were refused.');
    expect({ ...second, stderr: '' }).toEqual({ ...first, stderr: '' });
    expect(second.stderr).toContain(
      'warning: 3 of 3 are answers of an earlier run: --idempotency-key with a word of your own sends them again.\n',
    );
  });

  it('changes nothing on a second run', async () => {
    const args = ['submit', ...freshNames(2).map(toLine)];
    await run(args);

    const { code, stderr } = await run(args);

    expect(code).toBe(0);
    expect(stderr).toContain('2 pending.\n');
    expect(stderr).toContain('2 of 2 are answers of an earlier run');
  });

  it('submits a package that occurs twice only once, even in a long list', async () => {
    const names = freshNames(60);
    const file = write([...names, ...names].map(toLine).join('\n'));

    const { code, stderr } = await run(['submit', '-f', file]);

    expect(code).toBe(1);
    expect(stderr).toContain('60 pending, 60 refused.\n');
  });

  it('reads several files in order', async () => {
    const names = freshNames(3);
    const files = names.map((name) => write(toLine(name)));

    const { stdout } = await run(['submit', ...files.flatMap((file) => ['-f', file]), '--json']);

    expect(JSON.parse(stdout).results).toMatchObject(names.map((name) => ({ name, status: 201 })));
  });

  it('sends a new request with another key', async () => {
    const names = freshNames(2);
    const args = ['submit', ...names.map(toLine), '--json'];
    await run(args);

    const { code, stdout } = await run([...args, '--idempotency-key', 'another']);

    expect(code).toBe(1);
    expect(JSON.parse(stdout).results).toMatchObject(names.map((name) => ({ name, status: 409 })));
  });

  it('shows the request with --dry-run', async () => {
    const { code, stdout } = await run(['submit', 'npm:a@1.0.0', 'npm:b@1.0.0', '--dry-run']);

    expect(code).toBe(0);
    expect(stdout).toContain(`POST ${registry.url}/api/v1/submissions\n`);
    expect(stdout).toContain('Idempotency-Key: ');
    expect(stdout).toContain('"packages": [');
  });
});

describe('approve and reject', () => {
  const submitted = async (length: number): Promise<string[]> => {
    const names = freshNames(length);
    await run(['submit', ...names.map(toLine)]);
    return names;
  };

  it('accept several packages, with common flags', async () => {
    const [one, other, last] = (await submitted(3)) as [string, string, string];

    const approved = await run([
      'approve',
      toLine(one),
      toLine(other),
      '--expires',
      '90d',
      '--json',
    ]);
    const rejected = await run(['reject', toLine(other), toLine(last), '--reason', 'no']);

    expect([approved.code, rejected.code]).toEqual([0, 0]);
    const { results } = JSON.parse(approved.stdout);
    expect(results[1].package).toMatchObject({ status: 'approved', approved_by: 'reviewer' });
    expect(results[1].package.expires_at).not.toBeNull();
    expect(await Promise.all([one, other, last].map(statusOf))).toEqual([
      ...['approved', 'rejected', 'rejected'],
    ]);
  });

  it('accept the output of list', async () => {
    const names = await submitted(3);
    const { stdout } = await run(['list', '--all', '--status', 'pending', '--jsonl']);
    const listed = stdout
      .split('\n')
      .filter((line) => names.some((name) => line.includes(`"${name}"`)));

    const { code } = await run(['approve', '-'], { stdin: listed.join('\n') });

    expect(code).toBe(0);
    expect(await Promise.all(names.map(statusOf))).toEqual(['approved', 'approved', 'approved']);
  });

  it('accept one by its name, or with its version', async () => {
    const [one, other] = (await submitted(2)) as [string, string];

    const paths = await pathsDuring(async () => {
      expect((await run(['approve', one])).code).toBe(0);
      expect((await run(['reject', toLine(other), '--reason', 'no'])).code).toBe(0);
    });

    expect(await Promise.all([one, other].map(statusOf))).toEqual(['approved', 'rejected']);
    expect(paths).not.toContain('/api/v1/decisions');
  });

  it('ignore fields of other commands in a file', async () => {
    const file = write(
      JSON.stringify([
        { name: 'a', action: 'reject' },
        { name: 'b', action: 'reject' },
      ]),
    );

    const { code, stderr } = await run(['approve', '-f', file]);

    expect(code).toBe(2);
    expect(stderr).toContain('use registry reject');
  });

  it('override the issues in the file for each version, or the issues of a flag for all', async () => {
    const names = await submitted(3);
    for (const name of names) {
      const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'critical' }];
      const report = { tool: 'a-scanner', vulnerabilities };
      await registry.post(`/api/v1/security/scans/${name}`, report, { token });
    }
    const [one, other, third] = names as [string, string, string];
    const entry = (name: string, override: readonly string[]) =>
      JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0', override });
    const lines = [entry(one, ['scan_failed']), entry(other, ['license_rejected'])];
    const why = ['--reason', 'Tests only'];

    const listed = await run(['approve', '-f', write(lines.join('\n')), ...why]);
    const flagged = await run([
      ...['approve', toLine(other), toLine(third), '--override', 'scan_failed', ...why],
    ]);

    expect(listed.code).toBe(1);
    expect(listed.stderr).toContain('1 approved, 1 refused');
    expect(flagged.code).toBe(0);
    expect(await Promise.all(names.map(statusOf))).toEqual(names.map(() => 'approved'));
  });

  it('send a new request if all answers are replayed, because decisions may have changed', async () => {
    const [one, other] = (await submitted(2)) as [string, string];
    const args = ['reject', toLine(one), toLine(other), '--reason', 'malware'];
    await run(args);
    await run(['approve', one, '--reason', 'oops']);

    const { code, stdout, stderr } = await run(args);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        '2 rejected.\nwarning: 1 of 2 were decided by an earlier run, and are still in force.\n',
    });
    expect(stdout).toMatch(new RegExp(`rejected +npm:${one}@`));
    expect(await Promise.all([one, other].map(statusOf))).toEqual(['rejected', 'rejected']);
  });

  it('retry refused versions after the blocking issues are gone', async () => {
    const [one, other] = freshNames(2) as [string, string];
    const args = ['approve', toLine(one), toLine(other)];
    const first = await run(args);
    await run(['submit', toLine(one), toLine(other)]);

    const second = await run(args);

    expect([first.code, second.code]).toEqual([1, 0]);
    expect(first.stderr).toContain('Find packages by a part of their name');
    expect(await Promise.all([one, other].map(statusOf))).toEqual(['approved', 'approved']);
  });

  it('retry failed versions, and mark replayed answers', async () => {
    const [one, other] = (await submitted(2)) as [string, string];
    const args = ['reject', toLine(one), toLine(other), '--reason', 'no'];
    hooks.onRequest = ({ operation, body }) =>
      operation === 'TransactWriteItems' && JSON.stringify(body).includes(other)
        ? { status: 400, headers: {}, body: '{"__type": "#ValidationException"}' }
        : undefined;
    const first = await run(args);
    hooks.onRequest = undefined;

    const second = await run(args);

    expect(first.code).toBe(3);
    expect(first.stderr).not.toContain('from before');
    expect(second.code).toBe(0);
    expect(second.stderr).toBe(
      '2 rejected.\nwarning: 1 of 2 are answers of an earlier run: --idempotency-key with a word of your own sends them again.\n',
    );
  });

  it('repeat the answers for a given key', async () => {
    const [one, other] = (await submitted(2)) as [string, string];
    const args = ['reject', toLine(one), toLine(other), '--reason', 'no', '--idempotency-key'];
    await run([...args, `key-${one}`]);
    await run(['approve', one, '--reason', 'oops']);

    const { code, stderr } = await run([...args, `key-${one}`]);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '2 rejected.\nwarning: 2 of 2 are answers of an earlier run.\n',
    });
    expect(await statusOf(one)).toBe('approved');
  });

  it('show the advice about blocking issues once', async () => {
    const names = await submitted(2);
    await run(['reject', ...names.map(toLine), '-r', 'Not needed']);

    const { code, stderr } = await run(['approve', ...names.map(toLine)]);

    expect(code).toBe(1);
    expect(stderr).toBe('2 refused.\nerror: 2 of 2 were refused.\nAdd --reason.\n');
  });

  it('warn in one line about approved versions without a scan', async () => {
    const names = await submitted(5);
    await registry.post(
      packagePath(names[4] ?? '', '/approve'),
      {},
      { headers: { 'X-API-Key': token } },
    );

    const { code, stderr } = await run(['approve', ...names.map(toLine)]);

    expect(code).toBe(1);
    const named = names.slice(0, 3).map((name) => `npm:${name}@1.0.0`);
    expect(stderr).toContain(
      `warning: 4 approved versions have no finished scan: vulnerabilities are not known (${named.join(', ')}, 1 more).\n`,
    );
  });

  it('accept other expiry dates than a list has', async () => {
    const names = await submitted(2);
    const rows = names.map((name) => ({
      ...{ ecosystem: 'npm', name, version: '1.0.0' },
      expires_at: '2030-01-01T00:00:00.000Z',
    }));
    const stdin = rows.map((row) => JSON.stringify(row)).join('\n');

    const { code, stdout } = await run(['approve', '-', '--expires', '90d', '--json'], { stdin });

    expect(code).toBe(0);
    for (const { package: one } of JSON.parse(stdout).results) {
      expect(Date.parse(one.expires_at)).toBeLessThan(Date.now() + 91 * 24 * 60 * 60_000);
    }
  });

  const file = (content: unknown) => ['-f', write(JSON.stringify(content))];
  const nested = JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`);
  const id = { ecosystem: 'npm', name: 'a', version: '1.0.0' };

  it.each([
    [
      'a number for a version',
      { ...id, version: 1.1 },
      /item 1: version is 1.1: it must be non-empty text/,
    ],
    ['null for a version', { ...id, version: null }, /item 1: version is null/],
    ['no ecosystem', { name: 'a', version: '1.0.0' }, /item 1: ecosystem is missing/],
    ['a name that a path would lose', { ...id, name: '..' }, /item 1: name is ".."/],
    ['what is too long', [id, { ...id, reason: 'x'.repeat(2 ** 20) }], /item 2: it has more than/],
    ['what nests too deep', [id, { ...id, reason: nested }], /item 2: it nests more than 30/],
  ])('refuse a file with %s', async (_, content, message) => {
    const { code, stderr } = await run(['approve', ...file(content)]);

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('refuse a line with an invalid key', async () => {
    const lines = [toLine('a'), '{"ecosystem": "npm", "name": "b", "x": {"__proto__": {}}}'];

    const { code, stderr } = await run(['approve', '-'], { stdin: lines.join('\n') });

    expect(code).toBe(2);
    expect(stderr).toContain('-, line 2: it must not have a key "__proto__"');
  });

  it.each([
    ['approve', ['--version', '1.1']],
    ['submit', ['--version', '1.1']],
    ['submit', ['--name', 'b']],
  ])('refuse a file of one with another flag: %s %j', async (command, flags) => {
    const { code, stderr } = await run([command, ...file(id), ...flags]);

    expect(code).toBe(2);
    expect(stderr).toMatch(/item 1: --(version|name) is .*: remove one of them/);
  });

  it('accept a flag that agrees with the package', async () => {
    const [one] = (await submitted(1)) as [string];

    expect((await run(['approve', toLine(one), '--version', '1.0.0'])).code).toBe(0);
  });

  it.each([
    [['approve'], /Give packages/],
    [['approve', '..'], /It names nothing/],
    [['approve', 'npm:a@1.0.0', '--version', '2.0.0'], /--version is 2.0.0, but the package/],
    [['submit', 'npm:a@1.0.0', '--ecosystem', 'pypi'], /--ecosystem is pypi, but the package/],
    [
      ['approve', 'left-pad', 'npm:a@1.0.0'],
      /left-pad does not name a package version\. Write npm:/,
    ],
    [
      ['approve', 'npm:a@1.0.0', 'npm:b@1.0.0', '--version', '1.0.0'],
      /--version is for one package/,
    ],
    [
      ['approve', 'npm:a@1.0.0', 'npm:b@1.0.0', '--expected-evidence-version', 'x'],
      /--expected-evidence-version is for one package/,
    ],
    [['approve', 'npm:a@1.0.0', 'npm:b@1.0.0', '--override'], /--override needs --reason/],
    [['submit', 'npm:a@1.0.0', '--from', '.'], /Give only one of/],
    [['submit', 'pkg:npm/left-pad'], /does not name a package version/],
    [['submit', '-f', '-'], /- names no packages/],
  ])('refuse %j', async (args, message) => {
    const { code, stderr } = await run(args, { stdin: '# nothing\n' });

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('more packages than one request takes', () => {
  it('are sent in batches of 100, and the same command continues after an interruption', async () => {
    const names = freshNames(120);
    const file = write(names.map(toLine).join('\n'));
    let transactions = 0;
    hooks.onRequest = ({ operation }) => {
      if (operation === 'TransactWriteItems') transactions += 1;
      // The server is closed: all later requests fail.
      return transactions > 110
        ? { status: 400, headers: {}, body: '{"__type": "#ValidationException"}' }
        : undefined;
    };
    const first = await run(['submit', '-f', file, '--jsonl']);
    hooks.onRequest = undefined;

    const paths = await pathsDuring(async () => {
      const second = await run(['submit', '-f', file, '--jsonl']);
      expect(second.code).toBe(0);
      const rows = second.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.map(({ name }) => name)).toEqual(names);
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([201]));
    });

    expect(first.code).toBe(3);
    expect(paths).toEqual(Array(2).fill('/api/v1/submissions'));
  });

  it('show progress in a terminal', async () => {
    const file = write(freshNames(110).map(toLine).join('\n'));
    const terminal = commandLine.inTerminal(['submit', '-f', file], {
      env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token },
    });

    await terminal.shows('100 of 110 sent');
    await terminal.shows('110 pending.');

    expect(await terminal.end()).toBe(0);
  });
});

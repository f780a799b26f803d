import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const name = 'old-pad';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, tokens: `ci:${token}` });
  commandLine = CommandLine.install();
  const finding = { id: 'CVE-2021-44906', severity: 'critical' };
  const report = JSON.stringify({ tool: 'by hand', vulnerabilities: [finding] });
  const license = 'GNU Affero GPL v3';
  for (const version of ['1.0.0', '2.0.0']) {
    await registry.submit({ ecosystem: 'npm', name, version, license }, { token });
  }
  await run(['scan', 'upload', name, '-', '--version', '1.0.0'], { stdin: report });
  const override = ['--override', '--reason', 'Tests only', '--by', 'ana@example.com'];
  await run(['approve', name, '--version', '1.0.0', ...override]);
  await run(['reject', name, '--version', '1.0.0', '--reason', 'We were wrong']);
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], options: { readonly stdin?: string } = {}) =>
  commandLine.run(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token },
  });

const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
const scanLine =
  `scan 1 by by hand, ${time}: failed (critical 1, high 0, medium 0, low 0, unrated 0)`.replace(
    /[()]/g,
    '\\$&',
  );
const licenseLine =
  'license GNU Affero GPL v3, normalized to AGPL-3.0-only: rejected \\(submitted; upstream license not known\\)';

describe('history', () => {
  it('shows the records, newest first, with the evidence of each decision', async () => {
    const { code, stdout, stderr } = await run(['history', name]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual(
      [
        `^${time}  npm:${name}@1\\.0\\.0 rejected \\(was approved\\) by ci$`,
        '^ {2}Reason: We were wrong$',
        `^ {2}Evidence: ${scanLine}; ${licenseLine}$`,
        `^${time}  npm:${name}@1\\.0\\.0 approved by ana@example\\.com \\(token ci\\)$`,
        '^ {2}Reason: Tests only$',
        `^ {2}Evidence: ${scanLine}; ${licenseLine}$`,
        '^ {2}Overridden: license_rejected, scan_failed$',
        `^${time}  npm:${name}@2\\.0\\.0 submitted by ci$`,
        `^${time}  npm:${name}@1\\.0\\.0 submitted by ci$`,
      ].map((line) => expect.stringMatching(line)),
    );
  });

  it('shows only the given version', async () => {
    const { stdout } = await run(['history', name, '--version', '2.0.0']);

    expect(stdout).toMatch(new RegExp(`^${time}  npm:${name}@2\\.0\\.0 submitted by ci\n$`));
  });

  it('fits a terminal width', async () => {
    const env = { REGISTRY_URL: registry.url };
    const terminal = commandLine.inTerminal(['history', name], { env, columns: 50 });

    expect(await terminal.end()).toBe(0);
    const lines = terminal.page().trimEnd().split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(50);
    expect(terminal.raw()).toContain('\u001b[31mrejected\u001b[39m');
  });

  it('shows the command for the next page', async () => {
    const first = await run(['history', name, '--limit', '3']);
    const [, before = ''] = /--before '([^']+)' the next page\.\n$/.exec(first.stderr) ?? [];

    const second = await run(['history', name, '--before', before]);

    expect(first.stderr).toMatch(/^There are more. --all shows all, /);
    expect(second.stdout).toMatch(new RegExp(`^${time}  npm:${name}@1\\.0\\.0 submitted by ci\n$`));
    expect(second.stderr).toBe('');
  });

  it('reads every page with --all, as one document or one line per record', async () => {
    const flags = ['history', name, '--all', '--limit', '1'];

    const [json, jsonl] = await Promise.all([
      run([...flags, '--json']),
      run([...flags, '--jsonl']),
    ]);

    const all = (await registry.get(`/api/v1/packages/${name}/history`)).body;
    expect(all.history).toHaveLength(4);
    expect(JSON.parse(json.stdout)).toEqual(all);
    const lines = jsonl.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(all.history);
  });

  it('links each decision to its scan', async () => {
    await run(['scan', 'upload', name, '-', '--version', '1.0.0'], {
      stdin: JSON.stringify({ tool: 'by hand', vulnerabilities: [] }),
    });

    const args = ['scan', 'show', name, '--version', '1.0.0'];
    const [then, now] = await Promise.all([run([...args, '--number', '1']), run(args)]);

    expect(then.stdout).toContain(`${name}@1.0.0  failed: 1 critical\n`);
    expect(then.stdout).toContain('CVE-2021-44906');
    expect(now.stdout).toContain(`${name}@1.0.0  passed: no open vulnerabilities\n`);
  });
});

describe('an approved version whose scans fail', () => {
  const version = ['--version', '1.0.0'];
  const scanned = 'watched-pad';

  beforeAll(async () => {
    await registry.submit({ ecosystem: 'npm', name: scanned, version: '1.0.0' }, { token });
    await run(['approve', scanned, ...version]);
    const findings = Array.from({ length: 12 }, (_, at) => ({ id: `CVE-${at}`, severity: 'high' }));
    await run(['scan', 'upload', scanned, '-', ...version], {
      stdin: JSON.stringify({ tool: 'by hand', vulnerabilities: findings }),
    });
  });

  it('appears in attention, which fits a terminal width', async () => {
    const env = { REGISTRY_URL: registry.url };
    const terminal = commandLine.inTerminal(['attention'], { env, columns: 80 });
    const [piped, programs] = await Promise.all([run(['attention']), run(['attention', '--json'])]);

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).toBe(piped.stdout);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).toMatch(
      /^PACKAGE +SINCE UTC +WHY\nnpm:watched-pad@1\.0\.0 +\d{4}-\d\d-\d\d \d\d:\d\d +12 high\n$/,
    );
    expect(JSON.parse(programs.stdout).attention).toMatchObject([{ name: scanned }]);
  });

  it('has the failed scans and their dismissal in its history', async () => {
    const reason = ['--reason', 'The wrong image'];
    const tool = ['--tool', 'by hand', '--label', 'ci'];

    const unnamed = await run(['scan', 'dismiss', scanned, ...version, ...reason]);
    await run(['scan', 'dismiss', scanned, ...version, ...tool, ...reason]);
    const { code, stdout } = await run(['history', scanned]);
    const attention = await run(['attention']);

    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('Missing --tool: give it as a flag.');
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 4)).toEqual(
      [
        `^${time}  npm:${scanned}@1\\.0\\.0 scans by by hand \\(token ci\\) dismissed by ci$`,
        '^ {2}Reason: The wrong image$',
        `^${time}  npm:${scanned}@1\\.0\\.0 needs attention since scan 1 by by hand \\(token ci\\)$`,
        '^ {2}Reason: 12 high vulnerabilities \\(policy: fail from high\\)\\.$',
      ].map((line) => expect.stringMatching(line)),
    );
    expect(attention).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'There is nothing here yet.\n',
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const ana = 'a-token-of-ana-with-more-than-thirty-two-characters';
const ci = 'a-token-of-ci-with-more-than-thirty-two-characters-';
const other = 'another-submitter-with-more-than-thirty-two-characters';
const report = {
  tool: 'first',
  vulnerabilities: [{ id: 'CVE-2026-1', severity: 'critical', summary: 'Bad' }],
};

let registry: TestRegistry;
let commandLine: CommandLine;
let leaked: string;
const late: string[] = [];

const submitAll = (names: readonly string[], token: string) =>
  registry.post(
    '/api/v1/submissions',
    { packages: names.map((name) => ({ ecosystem: 'npm', name, version: '1.0.0' })) },
    { token },
  );
const scan = async (name: string, token: string, tool = 'first'): Promise<void> => {
  const path = `/api/v1/security/scans/${name}`;
  const { status, body } = await registry.post(path, { ...report, tool }, { token });
  expect(`${status} ${body.detail}`).toBe('201 undefined');
};
const decide = (name: string, what: string) =>
  registry.post(packagePath(name, `/${what}`), { reason: 'by hand' }, { token: ana });
const statusOf = async (name: string): Promise<string> =>
  (await registry.get(packagePath(name))).body.status;
const toolsOf = async (name: string): Promise<unknown[]> => {
  const { status, body } = await registry.get(`/api/v1/security/scans/${name}`);
  return status === 404
    ? []
    : body.tools.map((one: { tool: string; label: string }) => `${one.tool} ${one.label}`);
};

const run = (...args: string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: ana } });
const undo = (command: string, ...args: string[]) =>
  run(...command.split(' '), '--label', 'ci', '--since', leaked, '--reason', 'leaked', ...args);

beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: `ana:${ana},ci/submit:${ci},other/submit:${other}`,
  });
  commandLine = CommandLine.install();
  await submitAll(['early', 'early-scanned'], ci);
  await scan('early', ci);
  await scan('early-scanned', ci);
  leaked = new Date().toISOString();
  late.push(...Array.from({ length: 103 }, (_, at) => `late-${at}`));
  await submitAll(late.slice(0, 60), ci);
  await submitAll(['innocent'], other);
  await submitAll(late.slice(60), ci);
  await scan('early', ci);
  for (const name of ['late-0', 'innocent']) await scan(name, ci);
  await scan('late-0', ci, 'second');
  for (const name of ['innocent', 'early-scanned']) await scan(name, other);
  await decide('late-1', 'approve');
  await decide('late-2', 'reject');
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

describe('scan dismiss --since', () => {
  it('lists the scans to dismiss, and sends nothing', async () => {
    const { code, stdout, stderr } = await undo('scan dismiss', '--dry-run');

    expect([code, stderr]).toEqual([0, '4 to be dismissed.\n']);
    expect(stdout.match(/^to be dismissed/gm)).toHaveLength(4);
    expect(await toolsOf('late-0')).toEqual(['first ci', 'second ci']);
  });

  it('continues after an interruption', async () => {
    const path = '/api/v1/security/scans/late-0?tool=second&label=ci';
    await registry.send('DELETE', path, { body: { reason: 'the first one' }, token: ana });

    const { code, stdout } = await undo('scan dismiss', '--json');

    const scans: { outcome: string; name: string; tool: string }[] = JSON.parse(stdout).scans;
    expect(code).toBe(0);
    expect(scans.map(({ outcome, name, tool }) => `${outcome} ${name} ${tool}`).sort()).toEqual([
      'dismissed early first',
      'dismissed innocent first',
      'dismissed late-0 first',
    ]);
  });

  it('keeps scans of other labels, and earlier scans', async () => {
    expect(await toolsOf('early')).toEqual([]);
    expect(await toolsOf('late-0')).toEqual([]);
    expect(await toolsOf('innocent')).toEqual(['first other']);
    expect(await toolsOf('early-scanned')).toEqual(['first ci', 'first other']);
    const { history } = (await registry.get(packagePath('early', '/history'))).body;
    expect(history[0]).toMatchObject({ type: 'scan.dismissed', reason: 'leaked', by: 'ana' });
  });

  it('finds nothing after all are dismissed', async () => {
    const { code, stderr } = await undo('scan dismiss');

    expect([code, stderr]).toEqual([0, 'No scan was found.\n']);
  });
});

describe('reject --since', () => {
  const counts = '101 to be rejected, 1 already rejected, 1 approved and left. Nothing was sent.';

  it('lists the versions to reject, and sends nothing', async () => {
    const { code, stdout, stderr } = await undo('reject', '--dry-run');

    expect(code).toBe(0);
    expect(stderr).toContain(counts);
    expect(stderr).toContain('Add --include-approved to reject approved versions, too.');
    expect(stdout).not.toMatch(/early|innocent/);
    expect(await statusOf('late-0')).toBe('pending');
  });

  it('rejects pending versions, and counts earlier rejections', async () => {
    const { code, stdout, stderr } = await undo('reject');

    expect(code).toBe(0);
    expect(stderr).toContain('101 rejected, 1 already rejected, 1 approved and left.\n');
    expect(stdout.match(/^rejected/gm)).toHaveLength(101);
    const standing = await Promise.all(
      ['late-0', 'late-1', 'late-2', 'late-102', 'early', 'innocent'].map(statusOf),
    );
    expect(standing).toEqual([
      ...['rejected', 'approved', 'rejected', 'rejected', 'pending', 'pending'],
    ]);
  });

  it('changes nothing on a second run', async () => {
    const { code, stdout } = await undo('reject', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      results: [],
      already_rejected: 102,
      approved_and_left: 1,
    });
  });

  it('reverses approvals with the flag for it', async () => {
    const { code, stderr } = await undo('reject', '--include-approved');

    expect([code, stderr]).toEqual([0, '1 rejected, 102 already rejected.\n']);
    expect(await statusOf('late-1')).toBe('rejected');
  });

  it('ends before a time', async () => {
    const { stderr } = await undo('reject', '--until', leaked, '--dry-run');

    expect(stderr).toBe('0 to be rejected. Nothing was sent.\n');
  });
});

describe.each(['reject', 'scan dismiss'])('%s --since', (command) => {
  const since = ['--since', '2026-11-20'];

  it.each([
    [['--reason', 'x', ...since], '--since needs --label'],
    [['--label', 'ci', ...since], '--since needs --reason'],
    [['--label', 'ci', '--reason', 'x', '--since', 'yesterday'], '--since must be a day'],
    [['--label', 'ci', '--reason', 'x', ...since, '--version', '1'], '--version does not go with'],
    [
      ['lodash', '--label', 'ci', '--reason', 'x', ...since],
      '--since takes no <name>: leave out lodash.',
    ],
  ])('explains what is wrong with %j', async (args, said) => {
    const { code, stderr } = await run(...command.split(' '), ...args);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

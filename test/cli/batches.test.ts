import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({
    ...{ tokens: `ana:${token},ben:${token}-of-ben`, licenses: true, indexing: true },
  });
  commandLine = CommandLine.install({ REGISTRY_URL: registry.url, REGISTRY_TOKEN: token });
  await submit('sound', { batch: 'shop', license: 'MIT' });
  await submit('risky', { batch: 'shop', license: 'AGPL-3.0-only' });
  await submit('other', { batch: 'till', ecosystem: 'pypi' }, `${token}-of-ben`);
  const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'high' }];
  const report = { tool: 'audit', vulnerabilities };
  await registry.post('/api/v1/security/scans/risky', report, { token });
  await listed('status=pending', 3);
  await listed('batch=shop', 2);
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const submit = (name: string, fields: object = {}, by = token) =>
  registry.submit({ ecosystem: 'npm', name, version: '1.0.0', ...fields }, { token: by });

/** Waits for the index worker. */
const listed = (query: string, count: number) =>
  eventually(async () => {
    const { body } = await registry.get(`/api/v1/reviews?limit=1000&${query}`);
    expect(body.reviews).toHaveLength(count);
  });

const statusOf = async (name: string): Promise<string> =>
  (await registry.get(packagePath(name))).body.status;

const run = (...args: readonly string[]) => commandLine.run(args);
const runAt = (url: string, ...args: readonly string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: url } });
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('submit --batch', () => {
  it('says that a pending version has joined the batch, and ends with 1', async () => {
    await submit('joining', { batch: 'shop-1' });

    const joined = await run('submit', 'npm:joining@1.0.0', '--batch', 'till-1');
    const again = await run('submit', 'npm:joining@1.0.0', '--batch', 'till-1');

    expect(joined).toMatchObject({ code: 1, stdout: '' });
    expect(joined.stderr).toContain(
      'npm:joining@1.0.0 was submitted before. It is pending already, and is now also in batch till-1.',
    );
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('It is in batch till-1 already, or in 20 others.');
    await listed('batch=till-1', 1);
  });

  it('says it for each of several versions', async () => {
    await submit('two-joins', { batch: 'shop-1' });

    const { code, stdout } = await run(
      ...['submit', 'npm:two-joins@1.0.0', 'npm:two-starts@1.0.0', '--batch', 'till-2'],
    );

    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^refused +npm:two-joins@1\.0\.0 .*It is pending already, and is now also in batch till-2\.$/m,
    );
    expect(stdout).toMatch(/^pending +npm:two-starts@1\.0\.0$/m);
    await listed('batch=till-2', 2);
  });

  it('refuses a name with other characters', async () => {
    const { code, stderr } = await run('submit', 'npm:never@1.0.0', '--batch', 'a b');

    expect(code).toBe(1);
    expect(stderr).toContain('must be a short name, such as shop-2026-11');
  });
});

describe('queue', () => {
  it.each([
    [
      ['--batch', 'shop'],
      ['npm:sound@1.0.0', 'npm:risky@1.0.0'],
    ],
    [['--batch', 'till'], ['pypi:other@1.0.0']],
    [['--ecosystem', 'pypi'], ['pypi:other@1.0.0']],
    [['--issue', 'scan_failed'], ['npm:risky@1.0.0']],
    [['--severity', 'medium'], ['npm:risky@1.0.0']],
    [['--license-status', 'rejected'], ['npm:risky@1.0.0']],
    [['--submitter', 'ben'], ['pypi:other@1.0.0']],
    [['--batch', 'shop', '--license-status', 'approved', '--demand', '1'], ['npm:sound@1.0.0']],
    [['--waiting-days', '1'], []],
    [['--demand', '3'], []],
    [['--batch', 'nobody'], []],
  ])('%j -o name writes %j', async (flags, names) => {
    const { code, stdout } = await run('queue', ...flags, '-o', 'name');

    expect(code).toBe(0);
    expect(linesOf(stdout)).toEqual(names);
  });

  it('shows the status, the license and the reasons of each version', async () => {
    const { code, stdout } = await run('queue', '--batch', 'shop');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^PACKAGE +STATUS +LICENSE +WHY$/m);
    expect(stdout).toMatch(
      /^npm:sound@1\.0\.0 +pending +MIT +waits for rules, or for a review\. The version has no scan\.$/m,
    );
    expect(stdout).toMatch(/^npm:risky@1\.0\.0 +pending +AGPL-3\.0-only +.*1 high/m);
  });

  it('says that nothing matches, and how far it has looked', async () => {
    const { code, stdout, stderr } = await run('queue', '--batch', 'nobody');

    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing matches.\n' });
    expect(stdout).toMatch(/^Looked at +0\nComplete +yes\n/);
  });

  const later = '2026-11-27T00:00:00.000Z#npm#late#1.0.0';
  const partial = { reviews: [], looked_at: 500, complete: false, next: later };
  const last = { reviews: [], looked_at: 20, complete: true, next: null };

  it('says that there may be more if it has not looked at all versions', async () => {
    const server = await startScripted(json(200, partial));

    const one = await runAt(server.url, 'queue', '--severity', 'critical');

    await server.close();
    expect(one.stderr).toContain(`--after '${later}'`);
    expect(one.stderr).not.toContain('Nothing matches.');
  });

  it('continues with --all after a page without a match', async () => {
    const server = await startScripted(json(200, partial), json(200, last));

    const all = await runAt(server.url, 'queue', '--severity', 'critical', '--all');

    await server.close();
    expect(all).toMatchObject({ code: 0, stderr: 'Nothing matches.\n' });
    expect(
      server.received.map(({ url }) => new URL(url ?? '', server.url).searchParams.get('after')),
    ).toEqual([null, later]);
  });

  it.each([
    [['--severity', 'bad'], 2, 'Allowed choices are critical, high, medium, low, unrated.'],
    [
      ['--status', 'approved'],
      1,
      'needs a batch or a label: without one, the list has pending versions only',
    ],
    [['--demand', '0'], 1, 'must be a whole number from 1 to 20'],
    [['--batch', 'a/b'], 1, 'must be a short name, such as shop-2026-11'],
    [['--after', 'x'], 1, 'must be a time in UTC'],
  ])('refuses %j with %i, and says why', async (flags, code, message) => {
    const ended = await run('queue', ...flags);

    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(message);
  });
});

describe('a batch of several pages', () => {
  const names = Array.from({ length: 7 }, (_, at) => `paged-${at}`);
  const shown = names.map((name) => `npm:${name}@1.0.0`);
  beforeAll(async () => {
    for (const name of names) await submit(name, { batch: 'paged', license: 'MIT' });
    await listed('batch=paged', names.length);
  });

  const queue = (...flags: readonly string[]) => run('queue', '--batch', 'paged', ...flags);

  it('is a page, and says how to continue', async () => {
    const first = await queue('--limit', '3');
    const [, after = ''] = /--after '([^']+)'/.exec(first.stderr) ?? [];
    const second = await queue('--limit', '3', '--after', after, '-o', 'name');

    expect(first.stdout.match(/npm:paged-\d/g)).toHaveLength(3);
    expect(first.stdout).toMatch(/^Complete +no$/m);
    expect(linesOf(second.stdout)).toEqual(shown.slice(3, 6));
  });

  it('is whole with --all, for people and for programs', async () => {
    const read = async (...flags: readonly string[]) => {
      const { code, stdout, stderr } = await queue('--limit', '2', '--all', ...flags);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };

    expect((await read()).match(/npm:paged-\d@1\.0\.0/g)).toEqual(shown);
    expect(linesOf(await read('-o', 'name'))).toEqual(shown);
    const { reviews, ...rest } = JSON.parse(await read('--json'));
    expect(reviews).toMatchObject(names.map((name) => ({ name, batches: ['paged'] })));
    expect(rest).toEqual({
      ...{ looked_at: names.length, complete: true, next: null, older_updates: 0 },
    });
    const rows = linesOf(await read('--jsonl')).map((line) => JSON.parse(line));
    expect(rows).toMatchObject(names.map((name) => ({ name })));
  });

  it('is decided by a pipe of queue and approve', async () => {
    const { stdout } = await queue('--all', '-o', 'name');
    const approved = await commandLine.run(['approve', '-', '--reason', 'Reviewed'], {
      stdin: stdout,
    });

    expect(approved).toMatchObject({ code: 0 });
    expect(approved.stderr).toContain('7 approved.');
    await listed('batch=paged&status=approved', names.length);
    expect((await queue('-o', 'name')).stdout).toBe('');
    expect(linesOf((await queue('--status', 'approved', '-o', 'name')).stdout)).toEqual(shown);
  });
});

describe('review --batch', () => {
  const question = 'quit? [a/r/s/';
  const inTerminal = (...args: readonly string[]) => commandLine.inTerminal(['review', ...args]);

  it('walks through the pending versions of the batch alone', async () => {
    for (const name of ['walk-a', 'walk-b', 'walk-c']) {
      await submit(name, { batch: 'walk', license: 'MIT' });
    }
    await submit('walk-d', { batch: 'walk-2', license: 'MIT' });
    await listed('batch=walk', 3);
    const terminal = inTerminal('--batch', 'walk');

    await terminal.shows('1 of 3');
    await terminal.shows('npm:walk-a@1.0.0');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('npm:walk-a@1.0.0 is approved.');
    await terminal.shows('2 of 3');
    await terminal.shows('npm:walk-b@1.0.0');
    await terminal.shows(question);
    terminal.type('s\r');
    await terminal.shows('3 of 3');
    await terminal.shows('npm:walk-c@1.0.0');
    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type('Nobody needs it\r');
    await terminal.shows('1 approved, 1 skipped, 1 rejected.');

    expect(await terminal.end()).toBe(0);
    expect(await Promise.all(['walk-a', 'walk-b', 'walk-c', 'walk-d'].map(statusOf))).toEqual([
      ...['approved', 'pending', 'rejected', 'pending'],
    ]);
  });

  it('keeps to the ecosystem', async () => {
    await submit('mixed-npm', { batch: 'mixed', license: 'MIT' });
    await submit('mixed-pypi', { batch: 'mixed', license: 'MIT', ecosystem: 'pypi' });
    await listed('batch=mixed', 2);
    const terminal = inTerminal('--batch', 'mixed', '--ecosystem', 'pypi');

    await terminal.shows('1 of 1');
    await terminal.shows('pypi:mixed-pypi@1.0.0');
    await terminal.shows(question);
    terminal.type('q\r');

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).not.toContain('mixed-npm');
  });

  it('says that nothing of an empty batch is pending', async () => {
    const terminal = inTerminal('--batch', 'nobody');

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).toContain('Nothing that matches is pending.');
  });

  it('refuses --batch with a package, and with --search', async () => {
    const [both, search] = [
      await run('review', 'npm:walk-b@1.0.0', '--batch', 'walk'),
      await run('review', '--search', 'walk', '--batch', 'walk'),
    ];

    for (const { code, stderr } of [both, search]) {
      expect(code).toBe(2);
      expect(stderr).toContain('Give a package, --search or --batch, and only one of these.');
    }
  });
});

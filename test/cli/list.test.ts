import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatLength } from '../../cli/output/relative-time.ts';
import { eraseLine } from '../../cli/output/terminal.ts';
import { measureWidth } from '../../cli/output/text.ts';
import type { ListedVersion } from '../../shared/api/schemas/listed.ts';
import { CommandLine } from '../support/command-line.ts';
import {
  holdBack,
  json,
  later,
  problem,
  type Scene,
  type ScriptedServer,
  silence,
  startScripted,
} from '../support/scripted-server.ts';

const token = 'a-token-that-nobody-may-ever-see-printed';
const hourMs = 60 * 60_000;
const submitted_at = new Date(Date.now() - 50 * hourMs).toISOString();

const listed: ListedVersion = {
  ...{ name: 'left-pad', version: '1.3.0', ecosystem: 'npm', status: 'approved', license: 'MIT' },
  ...{ submitted_at, submitted_by: 'ana@example.com', submitted_token_label: 'ana@example.com' },
  license_status: 'approved',
  effective_license: 'MIT',
  scan: {
    status: 'failed',
    severity: { critical: 1, high: 2, medium: 0, low: 0, unrated: 0 },
    at: '2026-01-31T12:00:00.000Z',
    tools: [],
  },
  issues: [{ code: 'scan_failed', message: 'Its scans failed.', blocks: true }],
  evidence_version: 'h4kLr2vN7dEoA9uPq5MxZg',
  expires_at: new Date(Date.now() + 100.5 * hourMs).toISOString(),
  ...{ automatic: null, newer_update: null, older_updates: [] },
};
const long = 'a-very-long-name-of-a-package-which-nobody-would-ever-want-to-type-by-hand';
const others: readonly ListedVersion[] = [
  {
    ...listed,
    ...{ ecosystem: 'maven', name: `org.example.group:${long}` },
    ...{ license: 'AGPL-3.0-only', license_status: 'rejected' },
    effective_license: 'AGPL-3.0-only',
  },
  {
    ...listed,
    name: 'bare',
    license: null,
    license_status: null,
    effective_license: null,
    scan: null,
    expires_at: null,
  },
];

const bare = { name: 'left-pad', version: '1.3.0', ecosystem: 'npm', status: 'approved' };

/** Answers with the available rows up to the requested limit, at most 100. */
const listOf =
  (rows: readonly object[]): Scene =>
  (response, request) => {
    const query = new URL(request.url ?? '', 'http://registry').searchParams;
    const limit = Math.min(100, Number(query.get('limit') ?? 100));
    const offset = Number(query.get('offset') ?? 0);
    const packages = rows.slice(offset, offset + limit);
    json(200, { packages, total: rows.length, limit, offset })(response, request);
  };

let commandLine: CommandLine;
let server: ScriptedServer;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterEach(() => server?.close());
afterAll(() => commandLine.remove());

const environment = () => ({ REGISTRY_URL: server.url, REGISTRY_TOKEN: token });
const run = (...args: readonly string[]) => commandLine.run(args, { env: environment() });
const inTerminal = (columns: number, ...args: readonly string[]) =>
  commandLine.inTerminal(args, { columns, env: environment() });
const readQuery = (at = 0) =>
  Object.fromEntries(new URL(server.received[at]?.url ?? '', 'http://registry').searchParams);

describe('list', () => {
  it('shows ages in a terminal of 80 columns, which breaks no name that fits', async () => {
    server = await startScripted(listOf([listed, ...others]));
    const terminal = inTerminal(80, 'list');

    expect(await terminal.end()).toBe(0);
    const lines = terminal.page().split('\n');
    expect(lines[0]).toMatch(/^PACKAGE +STATUS +LICENSE +SCAN +AGE *$/);
    expect(lines[1]).toMatch(/^npm:left-pad@1\.3\.0 +approved +MIT +failed +2d *$/);
    expect(`${lines[2]}${lines[3]}`.trimEnd()).toBe(`maven:org.example.group:${long}@1.3.0`);
    expect(lines[4]).toMatch(/^ +approved +AGPL-3.0-only +failed +2d *$/);
    expect(lines.at(-2)).toBe('A wider terminal also shows: by.');
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(80);
    expect(readQuery()).toEqual({ view: 'full' });
  });

  it('shows full timestamps outside a terminal', async () => {
    server = await startScripted(listOf([listed]));

    const { stdout } = await run('list');

    expect(stdout).toMatch(/^PACKAGE +STATUS +LICENSE +SCAN +SUBMITTED AT +BY\n/);
    expect(stdout).toContain(submitted_at.replace(/\.\d+Z$/, 'Z'));
  });

  it('shows the effective license, and no submitted one for an unreadable one', async () => {
    const declared = { license_status: 'rejected', effective_license: 'AGPL-3.0-only' };
    const unreadable = { license_status: 'unreadable', effective_license: null };
    server = await startScripted(
      listOf([
        { ...listed, ...declared },
        { ...listed, ...unreadable },
      ]),
    );

    const { stdout } = await run('list', '--columns', 'name,license');

    const shown = stdout.split('\n').slice(1, 3);
    expect(shown.map((line) => line.replace(/^left-pad +/, ''))).toEqual([
      'AGPL-3.0-only (license rejected)',
      'unreadable',
    ]);
  });

  it('shows the chosen columns, and requests only their data', async () => {
    server = await startScripted(listOf([listed]));

    const few = await run('list', '--columns', 'version,name');
    const full = inTerminal(200, 'list', '--columns', 'name, found, expires_at,issues');

    expect(few.stdout).toMatch(/^VERSION +NAME\n1\.3\.0 +left-pad\n$/);
    expect(await full.end()).toBe(0);
    expect(full.page()).toMatch(
      /^NAME +FOUND +EXPIRES +ISSUES\nleft-pad +1 critical, 2 high +in 4d +scan_failed\n$/,
    );
    expect([readQuery(0), readQuery(1)]).toEqual([{}, { view: 'full' }]);
  });

  it.each([
    [['--columns', 'name,size'], 'There is no column "size": package, name, version'],
    [['--columns', 'name', '--json'], '--columns is for tables'],
  ])('refuses %j', async (args, said) => {
    server = await startScripted(listOf([listed]));

    const { code, stderr } = await run('list', ...args);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(server.received).toEqual([]);
  });

  it.each(['--json', '--jsonl'])(
    'has for programs all that the table shows: %s',
    async (format) => {
      server = await startScripted(listOf([listed]));

      const { stdout } = await run('list', format);

      const rows = format === '--json' ? JSON.parse(stdout).packages : [JSON.parse(stdout)];
      expect(rows).toEqual([listed]);
      expect(readQuery()).toEqual({ view: 'full' });
      expect(server.received).toHaveLength(1);
    },
  );

  it.each([
    [[], [150]],
    [['--json'], [150]],
  ])('shows the requested number of rows across several pages: %j', async (format) => {
    const rows = Array.from({ length: 180 }, (_, at) => ({ ...listed, name: `package-${at}` }));
    server = await startScripted(listOf(rows));

    const { stdout, stderr } = await run('list', '-n', '150', ...format);

    const names = new Set(stdout.match(/package-\d+/g));
    expect(names.size).toBe(150);
    expect(server.received).toHaveLength(2);
    expect(readQuery(1)).toMatchObject({ offset: '100', limit: '50' });
    if (format.length === 0) expect(stderr).toContain('1 to 150 of 180. --all shows all');
  });

  it.each([
    ['ls'],
    ['list', '--search', 'left pad'],
    ['search', 'left', 'pad'],
    ['ls', '-S', 'left pad'],
  ])('is what other tools call %s %s', async (...typed) => {
    server = await startScripted(listOf([bare]));

    const { code } = await run(...typed, '-e', 'npm', '-s', 'approved', '-n', '5', '--json');

    const search = typed.length > 1 ? { search: 'left pad' } : {};
    expect(code).toBe(0);
    const filter = { ecosystem: 'npm', status: 'approved', limit: '5' };
    expect(readQuery()).toEqual({ ...search, ...filter, view: 'full' });
  });
});

it.each([
  [0, '0m'],
  [59_000, '0m'],
  [119 * 60_000, '119m'],
  [47 * hourMs, '47h'],
  [59 * 24 * hourMs, '59d'],
  [729 * 24 * hourMs, '24mo'],
  [730 * 24 * hourMs, '2y'],
])('formats a duration in one unit: %i ms as %s', (ms, text) => {
  expect(formatLength(ms)).toBe(text);
});

it('accepts view as an alias of show', async () => {
  server = await startScripted(json(200, bare));

  const args = ['left-pad', '--json'];
  const [view, show] = [await run('view', ...args), await run('show', ...args)];

  expect(view).toEqual(show);
  expect(view.code).toBe(0);
});

describe('--quiet', () => {
  it('keeps the result and the errors', async () => {
    server = await startScripted(listOf([bare, bare]), problem(404, 'package_not_found'));

    const list = await run('list', '-q', '-n', '1');
    const failed = await run('show', 'x', '--quiet');

    expect(list.stderr).toBe('');
    expect(list.stdout).toContain('npm:left-pad@1.3.0');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('error: Told: package_not_found.');
  });

  it('shows a new token without advice', async () => {
    server = await startScripted(listOf([]));

    expect(await run('token', 'new', '-q')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('--debug', () => {
  it('logs every request and the source of each setting, with the token masked', async () => {
    const busy = problem(500, 'internal_error', { 'x-amzn-RequestId': 'first' });
    server = await startScripted(busy, json(200, bare, { 'x-amzn-RequestId': 'second' }));

    const { stderr } = await run('approve', 'left-pad', '--debug', '--quiet');

    expect(stderr.split('\n')).toEqual([
      `debug: ${server.url} from REGISTRY_URL, token ******** from REGISTRY_TOKEN`,
      expect.stringMatching(
        /^debug: POST \/api\/v1\/packages\/left-pad\/approve 500 \d+ ms internal_error request first$/,
      ),
      expect.stringMatching(
        /^debug: POST \/api\/v1\/packages\/left-pad\/approve 200 \d+ ms request second$/,
      ),
      expect.stringMatching(/^debug: GET \/api\/v1\/security\/scans\/left-pad\S* 200 \d+ ms/),
      '',
    ]);
    expect(stderr).not.toContain(token);
  });

  it('logs a request without an answer', async () => {
    server = await startScripted(silence);

    const { stderr } = await run('list', '--debug', '--timeout', '1');

    expect(stderr).toMatch(/^debug: GET \/api\/v1\/packages\S* no answer \d+ ms timeout$/m);
  });
});

describe('waiting', () => {
  it('shows a reason on a terminal after one second, and clears it afterwards', async () => {
    const { scene, release } = holdBack(listOf([listed]));
    server = await startScripted(silence, scene);
    const terminal = inTerminal(120, 'list', '--timeout', '2');

    await terminal.shows(`Waiting for ${new URL(server.url).host}, 1 s`);
    await terminal.shows('did not answer in time. Trying again, ');
    release();
    expect(await terminal.end()).toBe(0);
    const after = terminal.raw().split('Trying again, ').at(-1) ?? '';
    expect(after).toContain('\r\u001b[K');
    expect(after).toContain('left-pad');
  });

  it('stays on one line of a narrow terminal, and debug output starts a new line', async () => {
    server = await startScripted(later(1500, json(503, {})), later(2500, listOf([listed])));
    const terminal = inTerminal(50, 'list', '--debug');

    expect(await terminal.end()).toBe(0);
    const lines = terminal.raw().split(/\r?\n/);
    const shown = lines.flatMap((line) => line.split(eraseLine).map(stripVTControlCharacters));
    const waiting = shown.filter((line) => line.includes('Trying again'));
    expect(waiting[0]).toMatch(/ answered.*… Trying again, \d s$/);
    expect(Math.max(...waiting.map(measureWidth))).toBeLessThan(50);
    const debugged = shown.filter((line) => line.includes('debug: '));
    expect(debugged).toEqual(Array(3).fill(expect.stringMatching(/^debug: /)));
  });

  it.each([
    ['outside a terminal', []],
    ['with --quiet', ['--quiet']],
  ])('shows nothing %s', async (_, args) => {
    server = await startScripted(later(1500, listOf([listed])));

    if (args.length === 0) expect((await run('list')).stderr).toBe('');
    else {
      const terminal = inTerminal(120, 'list', ...args);
      expect(await terminal.end()).toBe(0);
      expect(terminal.screen()).not.toContain('Waiting');
    }
  });
});

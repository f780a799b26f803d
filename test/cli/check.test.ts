import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  breakOff,
  json,
  later,
  problem,
  type Scene,
  startScripted,
} from '../support/scripted-server.ts';

const require = createRequire(import.meta.url);
const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;

const npm = (name: string, version = '1.0.0') => ({ ecosystem: 'npm', name, version });
const decide = (id: ReturnType<typeof npm>, action: 'approve' | 'reject', body = {}) =>
  registry.post(`${packagePath(id.name, `/${action}`)}?version=${id.version}`, body, {
    headers: { 'X-API-Key': token },
  });
const submit = (id: ReturnType<typeof npm>) =>
  registry.post('/api/v1/packages', id, { headers: { 'X-API-Key': token } });

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ana:${token}` });
  commandLine = CommandLine.install();
  for (const version of ['4.17.20', '4.17.21']) await submit(npm('lodash', version));
  await decide(npm('lodash', '4.17.21'), 'approve');
  await decide(npm('lodash', '4.17.20'), 'reject', { reason: 'Prototype | pollution @ana <b>' });
  await submit(npm('waiting'));
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

type Files = Readonly<Record<string, string>>;

interface CheckedLine {
  readonly line: number;
  readonly allowed: boolean;
}

/** A project with these files, in a folder of its own. */
const makeProject = (files: Files): string => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** npm's lockfile, version 3; `asked` names the project's direct dependencies. */
const lock = (asked: readonly string[], packages: Readonly<Record<string, Locked>>): string => {
  const dependencies = Object.fromEntries(asked.map((name) => [name, '*']));
  const installed = Object.entries(packages).map(([name, locked]) => [
    `node_modules/${name}`,
    locked,
  ]);
  const all = { '': { name: 'project', dependencies }, ...Object.fromEntries(installed) };
  return JSON.stringify({ name: 'project', lockfileVersion: 3, packages: all }, null, 2);
};

const good = lock(['lodash'], { lodash: { version: '4.17.21' } });
const bad = lock(['express', 'waiting'], {
  express: { version: '9.9.9', license: 'MIT', dependencies: { lodash: '*' } },
  lodash: { version: '4.17.20' },
  waiting: { version: '1.0.0' },
});
const answerOf = (packages: readonly object[]) => ({ allowed: true, counts: {}, packages });
const isUnknown = {
  ...{ status: 'unknown', allowed: false, expires_at: null },
  reasons: [{ code: 'not_submitted', message: 'Not in the registry.' }],
};
const isNoVersion = {
  ...isUnknown,
  reasons: [{ code: 'not_a_version', message: 'The version must be one.' }],
};
const nobody = { ecosystem: null, name: null, version: null };
const fromGit = lock(['forked'], {
  forked: { version: '1.0.0', resolved: 'git+ssh://git@example.com/acme/forked.git#c0ffee' },
});

const check = (cwd: string, args: readonly string[] = [], options: RunOptions = {}) =>
  commandLine.run(['check', ...args], {
    ...options,
    cwd,
    env: { REGISTRY_URL: registry.url, ...options.env },
  });
const withToken = { env: { REGISTRY_TOKEN: token } };

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

describe('a project', () => {
  it('passes if all packages are approved', async () => {
    const { code, stdout, stderr } = await check(makeProject({ 'package-lock.json': good }));

    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stdout: '' },
      stderr:
        'The files of 1 package were not compared with the reviewed files: 1 without a checksum in the lockfile.\nThe 1 package in 1 file is allowed.\n',
    });
  });

  it('gets the refused packages with reason, dependency path, nearest version and next command', async () => {
    const { code, stdout, stderr } = await check(makeProject({ 'package-lock.json': bad }));

    expect(code).toBe(1);
    const rows = stdout.trim().split('\n');
    expect(rows[0]).toMatch(/^STATUS +PACKAGE +WHY +USED BY$/);
    expect(rows[1]).toMatch(/^rejected +npm:lodash@4\.17\.20 .*Approved: 4\.17\.21\./);
    expect(rows[1]).toMatch(/package-lock\.json:\d+, transitive via express@9\.9\.9$/);
    expect(rows[2]).toMatch(/^unknown +npm:express@9\.9\.9 .*direct$/);
    expect(rows[3]).toMatch(/^pending +npm:waiting@1\.0\.0 .*Pending: it waits for review\./);
    expect(stderr).toBe(
      'error: 3 of 3 packages in 1 file are not allowed: 1 rejected, 1 not in the registry, 1 pending. To submit the version that is not in the registry, add --submit.\n',
    );
  });

  it('has files in subfolders, except folders of installed packages', async () => {
    const folder = makeProject({
      'package-lock.json': good,
      'web/app/package-lock.json': good,
      'node_modules/express/package-lock.json': bad,
      '.cache/package-lock.json': bad,
    });

    const { code, stdout } = await check(folder, ['--json']);

    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.files.map(({ file }: { file: string }) => file)).toEqual([
      'package-lock.json',
      'web/app/package-lock.json',
    ]);
    expect(report.packages).toEqual([
      expect.objectContaining({
        ...npm('lodash', '4.17.21'),
        ...{ status: 'approved', allowed: true },
        found_in: [
          { file: 'package-lock.json', line: expect.any(Number), through: [] },
          { file: 'web/app/package-lock.json', line: expect.any(Number), through: [] },
        ],
      }),
    ]);
  });

  it('fails on unpinned versions, unless a flag allows them', async () => {
    const folder = makeProject({ 'package-lock.json': fromGit });

    const refused = await check(folder);
    const allowed = await check(folder, ['--allow', 'unpinned']);

    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('comes from a Git repository');
    expect(refused.stderr).toContain('1 without an exact version');
    expect(allowed).toMatchObject({ code: 0, stdout: '' });
  });

  it('fails on an unreadable file, whatever the flags, and checks the other files', async () => {
    const folder = makeProject({ 'a/package-lock.json': '{', 'b/package-lock.json': bad });

    const { code, stdout } = await check(folder, ['--allow', 'pending,unknown,unpinned']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^unreadable +a\/package-lock\.json/m);
    expect(stdout).toMatch(/^rejected +npm:lodash@/m);
    expect(stdout).not.toMatch(/^(pending|unknown)/m);
  });

  it('comes from standard input', async () => {
    const components = [{ type: 'library', name: 'lodash', purl: 'pkg:npm/lodash@4.17.20' }];
    const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };

    const { code, stdout } = await check(commandLine.folder, ['-', '--json'], {
      stdin: JSON.stringify(bill),
    });

    expect(code).toBe(1);
    expect(JSON.parse(stdout).packages).toMatchObject([
      { ...npm('lodash', '4.17.20'), found_in: [{ file: '(standard input)' }] },
    ]);
  });
});

describe('named versions', () => {
  const ask = (...args: readonly string[]) => check(makeProject({}), args);

  it('are allowed, or not, in one sentence', async () => {
    const [good, bad] = [await ask('npm:lodash@4.17.21'), await ask('pkg:npm/lodash@4.17.20')];

    expect(good).toMatchObject({ code: 0, stderr: 'npm:lodash@4.17.21 is allowed.\n' });
    expect(good.stdout).toMatch(/^STATUS +PACKAGE +WHY\napproved +npm:lodash@4\.17\.21/);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(
      /^rejected +npm:lodash@4\.17\.20 +Rejected: .* Approved: 4\.17\.21/m,
    );
    expect(bad.stderr).toContain('npm:lodash@4.17.20 is not allowed: rejected.');
  });

  it('are read beside files, and in the ecosystem of the flag', async () => {
    const folder = makeProject({ 'package-lock.json': good });

    const { code, stdout } = await check(folder, ['package-lock.json', 'npm:waiting@1.0.0']);
    const flagged = await ask('waiting@1.0.0', '--ecosystem', 'npm', '--allow', 'pending');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^pending +npm:waiting@1\.0\.0/m);
    expect(flagged).toMatchObject({ code: 0, stderr: 'npm:waiting@1.0.0 is allowed.\n' });
  });

  it.each([
    [
      'lodash@4.17.21',
      'does not name its ecosystem: write pypi:lodash@4.17.21 or npm:lodash@4.17.21',
    ],
    ['npm:lodash', 'npm:lodash names no version. Add it, such as npm:lodash@1.0.0'],
    ['nmp:lodash@4.17.21', 'nmp is no ecosystem: write npm:lodash@4.17.21.'],
    ['pip:attrs@24.3.0', 'pip is no ecosystem: write pypi:attrs@24.3.0.'],
    ['lodash', 'There is no file or folder lodash. Name one, or a package version'],
  ])('refuses %s, and says what to write', async (text, message) => {
    const { code, stderr } = await ask(text);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('gives way to a file of the same name', async () => {
    const folder = makeProject({ 'npm:lodash@4.17.20': good });

    const { code } = await check(folder, ['npm:lodash@4.17.20', '--format', 'package-lock.json']);

    expect(code).toBe(0);
  });
});

describe('refuses wrong usage', () => {
  it.each([
    ['in a folder without files to check', {}, [], 'There is no lockfile'],
    [
      'for a file that is not there',
      {},
      ['nowhere.lock'],
      'There is no file or folder nowhere.lock.',
    ],
    [
      'with a status that no flag allows',
      { 'package-lock.json': good },
      ['--allow', 'rejected'],
      '--allow',
    ],
    [
      'with a justification without --submit',
      { 'package-lock.json': good },
      ['--reason', 'x'],
      '--submit',
    ],
    [
      ...(['with two reports at once', { 'package-lock.json': good }] as const),
      ...([['--json', '--sarif', '-'], 'Give only one of'] as const),
    ],
    [
      ...(['with an invalid baseline', { 'package-lock.json': good }] as const),
      ...([['--baseline', 'package-lock.json'], 'is no baseline'] as const),
    ],
    [
      ...(['with an unwritable report path', { 'package-lock.json': good }] as const),
      ...([['--junit', 'package-lock.json/x'], 'cannot be written'] as const),
    ],
  ])('%s, before any request', async (_, files, args, message) => {
    const env = { REGISTRY_URL: 'http://127.0.0.1:9' };
    const { code, stdout, stderr } = await check(makeProject(files as Files), args, { env });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

it.each([
  ['refuses the request', 400, 'invalid_request'],
  ['requires a token', 401, 'missing_token'],
  ['does not know the route', 404, 'route_not_found'],
])('exits with 3 if the registry %s', async (_, status, code) => {
  const server = await startScripted(problem(status, code));
  const folder = makeProject({ 'package-lock.json': good });

  const ended = await check(folder, [], { env: { REGISTRY_URL: server.url } });

  await server.close();
  expect(ended).toMatchObject({ code: 3, stdout: '' });
});

it('fails if the reader closes the pipe early', async () => {
  const names = Array.from({ length: 5000 }, (_, at) => [`q-${at}`, { version: '1.0.0' }]);
  const packages = Object.fromEntries(names);
  const folder = makeProject({ 'package-lock.json': lock(Object.keys(packages), packages) });
  const options = { cwd: folder, env: { REGISTRY_URL: registry.url } };
  const child = commandLine.start(['check', '--json'], options);
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });

  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'close');

  expect(code).toBe(1);
  expect(JSON.parse(complaints)).toMatchObject({ code: 'negative_result' });
});

it('accepts flags that repeat the defaults, with blanks', async () => {
  const folder = makeProject({ 'package-lock.json': bad });

  const { code, stdout } = await check(folder, ['--allow', 'approved, pending, unknown']);

  expect(code).toBe(1);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

it('fails if the registry is unreachable', async () => {
  const folder = makeProject({ 'package-lock.json': good });

  const { code, stdout } = await check(folder, [], { env: { REGISTRY_URL: 'http://127.0.0.1:9' } });

  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
});

it('annotates a job of GitHub Actions if the registry is unreachable', async () => {
  const folder = makeProject({ 'package-lock.json': good });
  const env = { REGISTRY_URL: 'http://127.0.0.1:9', GITHUB_ACTIONS: 'true' };

  const { stderr } = await check(folder, [], { env });
  const inJson = await check(folder, ['--json'], { env });

  expect(stderr).toMatch(/^::error title=registry check failed::127\.0\.0\.1:9 cannot be reached/m);
  expect(inJson.stderr).not.toContain('::error');
});

describe('a baseline', () => {
  it('ignores its known findings, and fails on new or worse ones', async () => {
    const folder = makeProject({ 'package-lock.json': bad });
    const { stdout } = await check(folder, ['--json']);
    writeFileSync(join(folder, 'known.json'), stdout);
    const flags = ['--baseline', 'known.json'];

    const same = await check(folder, [...flags, '--markdown', 'x.md', '--sarif', 'x.sarif']);
    writeFileSync(
      join(folder, 'package-lock.json'),
      lock(['more', 'lodash'], { more: { version: '1.0.0' }, lodash: { version: '4.17.20' } }),
    );
    const more = await check(folder, flags);
    const worse = JSON.parse(stdout);
    worse.packages[0].status = 'pending';
    writeFileSync(join(folder, 'known.json'), JSON.stringify(worse));
    const rejectedSince = await check(folder, flags);

    expect(same).toMatchObject({ code: 0, stdout: '' });
    expect(same.stderr).toMatch(
      /^Nothing new: 3 of 3 packages in 1 file were not allowed before\.$/m,
    );
    expect(read(folder, 'x.md')).toMatch(/^### Packages: nothing new$/m);
    // Code scanning would open an alert for suppressed results, too.
    expect(JSON.parse(read(folder, 'x.sarif')).runs[0].results).toEqual([]);
    expect(more.code).toBe(1);
    expect(more.stderr).toContain('; 1 more was not allowed before.');
    expect(more.stdout).toMatch(/^unknown +npm:more@/m);
    expect(more.stdout).not.toContain('lodash');
    expect(rejectedSince.stdout).toMatch(/^rejected +npm:lodash@/m);
  });
});

describe('--submit', () => {
  const wanted = lock(['wanted', 'waiting'], {
    wanted: { version: '1.0.0', license: 'Apache-2.0' },
    waiting: { version: '1.0.0' },
  });

  it('submits all unknown packages with license and justification, and is repeatable', async () => {
    const folder = makeProject({ 'package-lock.json': wanted });
    const args = ['--submit', '--reason', 'The importer needs it', '--allow', 'pending'];

    const first = await check(folder, args, withToken);
    const second = await check(folder, args, withToken);

    expect(first.code).toBe(0);
    const [submitted, pending, page, ...others] = first.stderr.split('\n');
    expect(submitted).toBe('1 submitted for review (npm:wanted@1.0.0), 1 already known.');
    expect(pending).toBe('Pending: 2 waiting for rules or a review.');
    expect(page).toMatch(/^Review them at http.*\/console#\/queue\?batch=project-\w+-[0-9a-f]{8}$/);
    expect(others).toEqual([
      'The files of 2 packages were not compared with the reviewed files: 2 without a checksum in the lockfile.',
      'All 2 packages in 1 file are allowed.',
      '',
    ]);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain('0 submitted for review, 2 already known.');
    const { body } = await registry.get(packagePath('wanted'));
    expect(body).toMatchObject({ status: 'pending', license: 'Apache-2.0' });
    const evidence = await registry.get(packagePath('wanted', '/evidence'));
    expect(evidence.body.justification).toBe('The importer needs it');
  });

  it('does not change the verdict', async () => {
    const folder = makeProject({ 'package-lock.json': lock(['x'], { x: { version: '1.0.0' } }) });

    const { code, stderr } = await check(folder, ['--submit'], withToken);

    expect(code).toBe(1);
    expect(stderr).toContain('1 pending');
    expect(stderr).not.toContain('--submit');
  });

  it('needs a token', async () => {
    const folder = makeProject({ 'package-lock.json': lock(['y'], { y: { version: '1.0.0' } }) });

    const { code, stdout, stderr } = await check(folder, ['--submit', '--sarif', 'new/x.sarif']);

    expect(code).toBe(1);
    expect(stderr).toContain('1 of 1 package in 1 file is not allowed');
    expect(stderr).toContain('Give a token with registry login, REGISTRY_TOKEN or --token.');
    // The report appears all the same.
    expect(stdout).toMatch(/^unknown +npm:y@/m);
    expect(JSON.parse(read(folder, 'new/x.sarif')).runs[0].results).toHaveLength(1);
    expect((await registry.get(packagePath('y'))).status).toBe(404);
  });

  it('fails if the answer lacks a result for each package', async () => {
    const asked = json(200, answerOf([{ ...npm('fresh'), ...isUnknown }]));
    const server = await startScripted(asked, json(200, { results: [] }), asked);
    const folder = makeProject({
      'package-lock.json': lock(['fresh'], { fresh: { version: '1.0.0', license: 'MIT\u202e' } }),
    });
    const env = { REGISTRY_URL: server.url, REGISTRY_TOKEN: token };

    const { code, stdout, stderr } = await check(folder, ['--submit'], { env });

    await server.close();
    expect(code).toBe(3);
    expect(stdout).toMatch(/^unknown +npm:fresh@/m);
    expect(stderr).toContain('not have one result for each');
    // An invalid license is omitted; the package is submitted.
    expect(JSON.parse(server.received[1]?.body ?? '')).toEqual({
      packages: [{ ...npm('fresh'), batch: expect.any(String) }],
    });
  });

  describe('with failed or refused submissions', () => {
    const isPending = { ...isUnknown, status: 'pending', reasons: [] };
    const accepted = { status: 201, package: { status: 'pending' } };
    const refusing = (status: number) => ({
      status,
      problem: { status, code: status < 500 ? 'forbidden_name' : 'internal_error', detail: 'No.' },
    });

    /** Checks a project with 150 unknown versions; the registry refuses the second. */
    const checkAgainst = async (result: object, args: readonly string[]) => {
      const names = Array.from({ length: 150 }, (_, at) => `lib-${String(at).padStart(3, '0')}`);
      const locked = Object.fromEntries(names.map((name) => [name, { version: '1.0.0' }]));
      const folder = makeProject({ 'package-lock.json': lock(names, locked) });
      const server = await startScripted((response, request) => {
        const { body = '', url } = server.received.at(-1) ?? {};
        const { packages } = JSON.parse(body) as { packages: { name: string }[] };
        const isAgain = server.received.some((one) => one.url !== url);
        const answer = packages.map((one) => {
          const isSecond = one.name === 'lib-001';
          if (url?.endsWith('/submissions')) return isSecond ? result : accepted;
          const state = isAgain && !isSecond ? isPending : isUnknown;
          return { ...npm(one.name), ...state, allowed: true };
        });
        const isCheck = url?.endsWith('/check');
        json(200, isCheck ? answerOf(answer) : { results: answer })(response, request);
      });
      const env = { REGISTRY_URL: server.url, REGISTRY_TOKEN: token };
      const allow = ['--allow', 'pending', '--allow', 'unknown'];
      const ended = await check(folder, ['--submit', ...allow, ...args], { env });
      await server.close();
      const sent = server.received.filter(({ url }) => url?.endsWith('/submissions'));
      return { ...ended, keys: sent.map(({ headers }) => headers['idempotency-key']) };
    };

    it('lists failed packages, exits with 3, and submits all others, each batch with its own key', async () => {
      const { code, stderr, stdout, keys } = await checkAgainst(refusing(500), ['--json']);

      expect(code).toBe(3);
      expect(stderr).toContain('warning: npm:lib-001@1.0.0 was not submitted: No.\n');
      const { packages } = JSON.parse(stdout) as { packages: { name: string; status: string }[] };
      expect(JSON.parse(stdout).submission).toEqual({
        batch: expect.stringMatching(/^project-/),
        review_url: expect.stringContaining('/console#/queue?batch=project-'),
        ...{ submitted: 149, known: 0, refused: 0, failed: 1 },
        submitted_packages: expect.arrayContaining([npm('lib-000'), npm('lib-149')]),
        not_submitted: [
          { ...npm('lib-001'), outcome: 'failed', code: 'internal_error', message: 'No.' },
        ],
      });
      const unknown = packages.filter(({ status }) => status === 'unknown');
      expect(unknown.map(({ name }) => name)).toEqual(['lib-001']);
      expect(packages).toHaveLength(150);
      // The failed one is sent again 3 times.
      expect(keys).toHaveLength(5);
      const again = keys.filter((key) => key === keys[0]);
      expect(again).toHaveLength(4);
      expect(new Set(keys).size).toBe(2);
    });

    it('lists refused packages, and exits with 1 although the check passes', async () => {
      const { code, stderr, keys } = await checkAgainst(refusing(400), []);

      expect(code).toBe(1);
      expect(stderr).toContain(
        'npm:lib-005@1.0.0, and 144 more, which --json lists), 1 refused.\n',
      );
      expect(stderr).toContain('But the registry refused 1 of the submissions.');
      expect(stderr).toContain('warning: npm:lib-001@1.0.0 was not submitted: No.\n');
      expect(new Set(keys).size).toBe(2);
    });
  });

  it('is not suggested for an invalid version', async () => {
    const server = await startScripted(
      json(
        200,
        answerOf([
          { ...nobody, ...isNoVersion },
          { ...npm('fresh'), ...isUnknown },
        ]),
      ),
    );
    const versions = { odd: { version: '1.0.0' }, fresh: { version: '1.0.0' } };
    const folder = makeProject({ 'package-lock.json': lock(Object.keys(versions), versions) });

    const { code, stderr } = await check(folder, [], { env: { REGISTRY_URL: server.url } });

    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('2 of 2 packages in 1 file are not allowed: 2 not in the registry.');
    expect(stderr).toContain('To submit the version that is not in the registry, add --submit.');
  });
});

describe('a report', () => {
  const Ajv = require('ajv-draft-04');
  const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

  it('in SARIF matches its schema, and has the location of each package', async () => {
    const folder = makeProject({
      'a b/package-lock.json': bad,
      'package-lock.json': fromGit,
      'z/package-lock.json': bad,
    });

    const { code, stdout } = await check(folder, ['--sarif', 'out.sarif']);

    expect(code).toBe(1);
    expect(stdout).toContain('rejected');
    const log = JSON.parse(read(folder, 'out.sarif'));
    const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
    const validate = ajv.compile(schema);
    validate(log);
    expect(validate.errors).toBe(null);
    const [{ results, tool }] = log.runs;
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      ...['rejected', 'unpinned', 'unknown', 'pending'],
    ]);
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['rejected', 'unpinned', 'unknown', 'pending']));
    expect(results[0]).toMatchObject({
      message: { text: expect.stringContaining('npm:lodash@4.17.20: Rejected') },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b/package-lock.json' } } }],
      relatedLocations: [
        { physicalLocation: { artifactLocation: { uri: 'z/package-lock.json' } } },
      ],
    });
    const { startLine } = results[0].locations[0].physicalLocation.region;
    expect(read(folder, 'a b/package-lock.json').split('\n')[startLine - 1]).toContain('lodash');
  });

  it('in JUnit has a test for each package of each file', async () => {
    const folder = makeProject({ 'a/package-lock.json': good, 'b/package-lock.json': bad });

    const { stdout } = await check(folder, ['--junit', '-']);

    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
    const [first, second] = parser.parse(stdout).testsuites.testsuite;
    expect(first).toMatchObject({ name: 'a/package-lock.json', tests: '1', failures: '0' });
    expect(second).toMatchObject({ name: 'b/package-lock.json', tests: '3', failures: '3' });
    expect(second.testcase[0]).toMatchObject({
      ...{ classname: 'b/package-lock.json', name: 'npm:lodash@4.17.20' },
      failure: { type: 'rejected', message: expect.stringContaining('@ana <b>') },
    });
  });

  it('in Markdown shows foreign text as plain text', async () => {
    const folder = makeProject({ 'package-lock.json': bad });

    await check(folder, ['--markdown', 'comment.md']);

    const text = read(folder, 'comment.md');
    expect(text).toMatch(/^### Packages: not all allowed$/m);
    const row = text.split('\n').find((line) => line.startsWith('| rejected'));
    expect(row?.split(/(?<!\\)\|/)).toHaveLength(7);
    expect(row).toContain('\\|');
    expect(row).not.toMatch(/@ana|<b>/);
  });

  it('annotates lines for GitHub Actions, up to their limit, and keeps the exit code', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`never-${at}`, { version: '1.0.0' }]),
    );
    const folder = makeProject({ 'package-lock.json': lock(Object.keys(many), many) });
    const few = makeProject({ 'package-lock.json': bad });
    const github = { env: { GITHUB_ACTIONS: 'true' } };

    const { stdout, stderr } = await check(folder, [], github);
    const programs = await check(folder, ['--json'], github);
    const marked = (await check(few, [], github)).stderr;

    const commands = stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(commands).toHaveLength(10);
    expect(commands.at(-1)).toContain('3 more fail the check');
    expect(stdout).toBe((await check(folder)).stdout);
    // Programs read both streams.
    expect(JSON.parse(programs.stdout).packages).toHaveLength(12);
    expect(JSON.parse(programs.stderr)).toMatchObject({ code: 'negative_result' });
    expect(marked).toMatch(
      /^::error file=package-lock\.json,line=\d+,title=npm%3Alodash@4\.17\.20 is rejected::Rejected/m,
    );
    expect((await check(few)).stderr).not.toContain('::');
  });

  it('in JSON lines has a line for each package', async () => {
    const { stdout } = await check(makeProject({ 'package-lock.json': bad }), ['--jsonl']);

    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ name }) => name)).toEqual(['lodash', 'express', 'waiting']);
  });
});

describe('content and sources', () => {
  const sri = (byte: string): string => `sha512-${btoa(byte.repeat(64))}`;
  const known = {
    npm: { index_hosts: ['mirror.example.com'], file_hosts: ['mirror.example.com'] },
    pypi: { index_hosts: ['index.example.com'], file_hosts: ['files.example.com'] },
    maven: { index_hosts: [], file_hosts: [] },
  };
  /** A registry that approves everything, and knows the content with a hash of letters `a`. */
  const startComparing = async (origins: object = known) => {
    const answer: Scene = (response, request) => {
      const { packages } = JSON.parse(server.received.at(-1)?.body ?? '') as {
        packages: { name: string; hashes?: readonly string[] }[];
      };
      const checked = packages.map(({ hashes, ...id }) => {
        const content = hashes && (hashes.every((hash) => hash === sri('a')) ? 'same' : 'other');
        const reasons = content === 'other' ? [{ code: 'other_content', message: 'Other.' }] : [];
        const judged = { status: 'approved', allowed: content !== 'other', expires_at: null };
        return { ...id, ...judged, reasons, ...(content && { content }) };
      });
      json(200, { ...answerOf(checked), origins })(response, request);
    };
    const server = await startScripted(answer);
    return server;
  };
  const at = (host: string, byte = 'a', scheme = 'https') => ({
    version: '1.0.0',
    resolved: `${scheme}://${host}/one/-/one-1.0.0.tgz`,
    integrity: sri(byte),
  });
  const run = async (files: Files, args: readonly string[] = [], origins?: object) => {
    const server = await startComparing(origins);
    const folder = makeProject(files);
    const env = { REGISTRY_URL: server.url };
    const ended = await check(folder, [...args, '--sarif', 'x.sarif', '--junit', 'x.xml'], { env });
    await server.close();
    return { ...ended, folder, received: server.received };
  };
  const lockOf = (one: Locked): Files => ({ 'package-lock.json': lock(['one'], { one }) });

  it('are sent as hashes and compared', async () => {
    const { code, stderr, received } = await run(lockOf(at('mirror.example.com')));

    expect({ code, stderr }).toEqual({ code: 0, stderr: 'The 1 package in 1 file is allowed.\n' });
    expect(JSON.parse(received[0]?.body ?? '').packages).toEqual([
      { ...npm('one'), hashes: [sri('a')] },
    ]);
  });

  it.each([
    ['other content', at('mirror.example.com', 'b'), 'other_content', 'Other.'],
    ['another host', at('evil.example.com'), 'other_source', 'It comes from evil.example.com'],
    ['plain HTTP', at('mirror.example.com', 'a', 'http'), 'other_source', 'over plain HTTP'],
    ['both', at('evil.example.com', 'b'), 'other_content', 'It comes from evil.example.com'],
  ])('are not allowed with %s, whatever the flags', async (_, locked, status, why) => {
    const allow = ['--allow', 'pending,unknown,unpinned'];
    const { code, stdout, folder } = await run(lockOf(locked), allow);
    const { stdout: report } = await run(lockOf(locked), ['--json']);
    const known = join(folder, 'known.json');
    writeFileSync(known, report);
    const again = await run(lockOf(locked), ['--baseline', known, '--markdown', '-']);

    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${status} +npm:one@1\\.0\\.0`, 'm'));
    expect(stdout).toContain(why);
    expect(JSON.parse(read(folder, 'x.sarif')).runs[0].results).toMatchObject([{ ruleId: status }]);
    expect(read(folder, 'x.xml')).toContain(`type="${status}"`);
    // The content may have changed again.
    expect(again.code).toBe(1);
    expect(again.stdout).toContain(`| ${status.replace('_', '\\_')} | one |`);
  });

  it.each([
    [
      'package-lock.json',
      /Have the lockfile written anew, or add --registry-host (\S+) if it is a/,
    ],
    [
      'yarn.lock',
      /if other\.example\.com belongs to Yarn, add --registry-host (\S+)\. Otherwise .* find out why\./,
    ],
  ])('name the option that allows the host of a %s', async (file, hint) => {
    const { resolved, integrity } = at('other.example.com');
    const yarn = `one@*:\n  version "1.0.0"\n  resolved "${resolved}"\n  integrity ${integrity}\n`;
    const files = file === 'yarn.lock' ? { [file]: yarn } : lockOf(at('other.example.com'));

    const { code, stdout } = await run(files, ['--json']);

    expect(code).toBe(1);
    const [, host = ''] = hint.exec(JSON.parse(stdout).packages[0].reasons[0].message) ?? [];
    expect(host).toBe('other.example.com');
    expect((await run(files, ['--registry-host', host])).code).toBe(0);
  });

  it.each([
    ['http://mirror.example.com/a.tgz', 'Have the lockfile written anew, with https.'],
    ['https://evil.example.com/simple', 'add --registry-host evil.example.com if it is a mirror'],
    ['./wheels', 'Have the lockfile written anew, with addresses of a registry.'],
  ])('say what to do about an index at %s', async (address, advice) => {
    const files = { 'requirements.txt': `--find-links ${address}\none==1.0.0\n` };

    const { stdout } = await run(files, ['--json']);

    expect(JSON.parse(stdout).sources[0].message).toContain(advice);
  });

  it('are accepted from a named host and from the registry itself', async () => {
    const mirror = lockOf(at('mirror.example.com:8443'));
    const named = await run(mirror, [
      '--registry-host',
      'x.example.com',
      '--registry-host',
      'mirror.example.com:8443',
    ]);
    const other = await run(mirror, ['--registry-host', 'mirror.example.com']);
    const server = await startComparing();
    const own = makeProject(lockOf(at(new URL(server.url).host, 'a', 'http')));
    const gate = await check(own, [], { env: { REGISTRY_URL: server.url } });
    await server.close();

    expect([named.code, other.code, gate.code]).toEqual([0, 1, 0]);
  });

  it('list each index with its verdict', async () => {
    const files = {
      'requirements.txt':
        '--index-url https://index.example.com/simple\n--extra-index-url https://evil.example.com/simple\n--find-links ./wheels\none==1.0.0\n',
    };

    const { code, stdout, stderr } = await run(files);
    const { sources } = JSON.parse((await run(files, ['--json'])).stdout);

    expect(code).toBe(1);
    expect(stderr).toContain(
      'requirements.txt:1: index https://index.example.com/simple is allowed.\n',
    );
    expect(stdout).toMatch(
      /^other_source +https:\/\/evil\.example\.com\/simple .*requirements\.txt:2/m,
    );
    expect(stdout).toMatch(/^other_source +\.\/wheels .*requirements\.txt:3/m);
    expect(sources.map(({ line, allowed }: CheckedLine) => [line, allowed])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
  });

  it('are counted if they are not compared', async () => {
    const pypi = { ...known.pypi, file_hosts: null };
    const uv = `version = 1\n[[package]]\nname = "one"\nversion = "1.0.0"\nsource = { registry = "https://index.example.com/simple" }\nwheels = [{ url = "https://any.example.com/one-1.0.0-py3-none-any.whl" }]\n`;

    const { code, stderr } = await run({ 'uv.lock': uv }, [], { ...known, pypi });
    const json = await run({ 'uv.lock': uv }, ['--json'], { ...known, pypi });
    const { contents } = JSON.parse(json.stdout);

    expect(code).toBe(0);
    expect(stderr).toContain(
      'not compared with the reviewed files: 1 without a checksum in the lockfile.',
    );
    expect(contents).toEqual({ same: 0, other: 0, unknown: 0, without_hash: 1 });
  });

  it.each(['https://mirror.example.com', 'mirror.example.com/npm', 'a b'])(
    'refuse %j, which is no host',
    async (host) => {
      const { code, stderr } = await run(lockOf(at('mirror.example.com')), [
        '--registry-host',
        host,
      ]);

      expect(code).toBe(2);
      expect(stderr).toContain('Give a host');
    },
  );
});

it('splits a check that is too large for one request', async () => {
  const names = Array.from({ length: 1500 }, (_, at) => [`p-${at}`, { version: '1.0.0' }]);
  const packages = Object.fromEntries(names);
  const folder = makeProject({ 'package-lock.json': lock(Object.keys(packages), packages) });

  const { code, stdout } = await check(folder, ['--json']);

  expect(code).toBe(1);
  expect(JSON.parse(stdout).counts.unknown).toBe(1500);
});

/** A registry that approves all packages after a delay. */
const startApproving = async (afterMs: number, ...first: readonly Scene[]) => {
  const approve: Scene = (response, request) => {
    const { packages } = JSON.parse(server.received.at(-1)?.body ?? '');
    const approved = packages.map((one: object) => ({ ...one, ...fine }));
    later(afterMs, json(200, answerOf(approved)))(response, request);
  };
  const server = await startScripted(...first, approve);
  return server;
};
const fine = { status: 'approved', allowed: true, expires_at: null, reasons: [] };

it('shows progress after one second, and retries after a fault', async () => {
  const names = Array.from({ length: 3000 }, (_, at) => [`p-${at}`, { version: '1.0.0' }]);
  const packages = Object.fromEntries(names);
  const folder = makeProject({ 'package-lock.json': lock(Object.keys(packages), packages) });
  const server = await startApproving(1500, breakOff);

  const shown = commandLine.inTerminal(['check', folder], { env: { REGISTRY_URL: server.url } });
  const code = await shown.end();

  await server.close();
  expect(shown.screen()).toContain('0 of 3000 checked');
  expect(shown.screen()).toContain('2000 of 3000 checked');
  expect(shown.screen()).toContain('All 3,000 packages in 1 file are allowed.');
  expect(code).toBe(0);
  expect(server.received).toHaveLength(4);
});

describe('an answer that does not match the request', () => {
  const [one, two] = [npm('one'), npm('two')].map((id) => ({ ...id, ...fine }));
  const bad = { ...two, status: 'rejected', allowed: false };

  it.each<[string, unknown]>([
    ['has nothing in it', answerOf([])],
    ['has no list', { allowed: true }],
    ['has fewer', answerOf([{ ...one }])],
    ['has more', answerOf([{ ...one }, { ...two }, { ...two }])],
    ['has another order', answerOf([{ ...two }, { ...one }])],
    ['is about another version', answerOf([{ ...one }, { ...two, version: '2.0.0' }])],
    ['says nothing of one', answerOf([{ ...one }, null as unknown as object])],
    ['has an approval of nobody knows what', answerOf([{ ...one }, { ...two, ...nobody }])],
    ['knows another status', answerOf([{ ...one }, { ...two, status: 'fine' }])],
    ['gives no reasons', answerOf([{ ...one }, { ...bad, reasons: undefined }])],
    ['allows what is rejected', answerOf([{ ...one }, { ...bad, allowed: true }])],
  ])('is refused: it %s', async (_, answer) => {
    const server = await startScripted(json(200, answer));
    const versions = { one: { version: '1.0.0' }, two: { version: '1.0.0' } };
    const folder = makeProject({ 'package-lock.json': lock(['one', 'two'], versions) });

    const env = { REGISTRY_URL: server.url, REGISTRY_TOKEN: token };
    const ended = await check(folder, ['--submit'], { env });

    await server.close();
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('The answer does not fit the request');
    // Nothing was submitted either.
    expect(server.received).toHaveLength(1);
  });
});

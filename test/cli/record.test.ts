import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json, problem, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ci:${token}` });
  commandLine = CommandLine.install();
  for (const name of ['lodash', 'left-pad']) {
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token });
    await registry.post(packagePath(name, '/approve'), {}, { token });
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

/** A project whose lockfile has a direct and a transitive package. */
const makeProject = (direct: string, transitive: string): string => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  const packages = {
    '': { name: 'project', dependencies: { [direct]: '*' } },
    [`node_modules/${direct}`]: { version: '1.0.0', dependencies: { [transitive]: '*' } },
    [`node_modules/${transitive}`]: { version: '1.0.0' },
  };
  const lock = { name: 'project', lockfileVersion: 3, packages };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
};

const run = (args: readonly string[], options: RunOptions = {}) =>
  commandLine.run(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...options.env },
  });

describe('registry check --record', () => {
  it('records what the lockfiles list, and says so', async () => {
    const cwd = makeProject('lodash', 'left-pad');

    const { code, stderr } = await run(['check', '--record', 'acme/shop', '--owner', 'payments'], {
      cwd,
      env: { GITHUB_SHA: '2c2624c6' },
    });

    expect(code).toBe(0);
    expect(stderr).toContain(
      'Recorded 2 versions as acme/shop (main), snapshot 1: 2 added, 0 removed.',
    );
    const { body } = await registry.get('/api/v1/projects/acme%2Fshop', { token });
    expect(body).toMatchObject({
      owner: 'payments',
      refs: [{ ref: 'main', commit: '2c2624c6', recorded_by: 'ci' }],
      versions: [
        { name: 'left-pad', direct: false, files: ['package-lock.json'], status: 'approved' },
        { name: 'lodash', direct: true, files: ['package-lock.json'], status: 'approved' },
      ],
    });
  });

  it('records a project whose check fails, and still fails', async () => {
    const cwd = makeProject('lodash', 'never-submitted');
    const flags = ['--record', 'acme/shop', '--ref', 'dev', '--commit', 'c1'];

    const { code, stderr } = await run(['check', ...flags], { cwd });
    const again = await run(['check', ...flags, '--json'], { cwd });

    expect(code).toBe(1);
    expect(stderr).toContain(
      'Recorded 2 versions as acme/shop (dev), although the check failed, snapshot 1',
    );
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout).recording).toEqual({
      ...{ project: 'acme/shop', ref: 'dev', number: 1, versions: 2 },
      ...{ changed: false, added: 0, removed: 0, left_out: 0 },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    const { body } = await registry.get(packagePath('never-submitted', '/projects'), { token });
    expect(body.uses).toMatchObject([{ project: 'acme/shop', ref: 'dev', owner: 'payments' }]);
  });

  it('fails if a passed check could not be recorded, and warns after a failed one', async () => {
    const passed = makeProject('lodash', 'left-pad');
    const failed = makeProject('lodash', 'never-submitted');
    const env = { REGISTRY_TOKEN: 'wrong' };

    const first = await run(['check', '--record', 'shop'], { cwd: passed, env });
    const second = await run(['check', '--record', 'shop'], { cwd: failed, env });

    expect(first.code).toBe(1);
    expect(first.stderr).toContain('The API key is invalid');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('warning: shop was not recorded: ');
  });

  it.each([
    [['--ref', 'main'], '--ref needs --record.'],
    [['--owner', 'x'], '--owner needs --record.'],
    [['--record', 'a b'], 'The name must be parts of letters'],
    [['--record', 'shop', '--ref', 'a b'], '--ref must be the name of a branch or tag'],
    [['--record', 'shop', '--setup'], 'Give only one of --record and --setup.'],
    [['--record', 'shop', 'npm:lodash@1.0.0'], '--record is for the files of a project'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await run(['check', ...flags]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('the commands of projects', () => {
  it('show the projects, what they use, and who uses a package', async () => {
    const listed = await run(['projects']);
    const names = await run(['projects', '-o', 'name']);
    const shown = await run(['projects', 'show', 'acme/shop']);
    const where = await run(['where', 'lodash@1.0.0']);

    expect(listed.stdout).toMatch(/^PROJECT +OWNER +REFS +RECORDED UTC\nacme\/shop +payments +2 /);
    expect(names.stdout).toBe('acme/shop\n');
    expect(shown.stdout).toMatch(/npm:left-pad@1\.0\.0 +approved +transitive +package-lock\.json/);
    expect(shown.stdout).toMatch(/npm:lodash@1\.0\.0 +approved +direct +package-lock\.json/);
    expect(where.stdout).toMatch(/npm:lodash@1\.0\.0 +acme\/shop +dev +direct +payments/);
    expect(where.stdout).toMatch(/npm:lodash@1\.0\.0 +acme\/shop +main +direct +payments/);
  });

  it('remove a ref, and replace an owner', async () => {
    const removed = await run(['projects', 'remove', 'acme/shop', '--ref', 'dev', '--json']);
    const replaced = await run(['projects', 'replace-owner', 'payments', 'none']);
    const repeated = await run(['projects', 'replace-owner', 'payments', 'none', '--json']);

    expect(JSON.parse(removed.stdout)).toEqual({
      ...{ project: 'acme/shop', ref: 'dev', project_removed: false },
    });
    expect(replaced.stdout).toBe('Replaced the owner of 1 project: payments → none.\n');
    expect(JSON.parse(repeated.stdout)).toEqual({
      ...{ owner: 'payments', replacement: null, replaced: 0 },
    });
    const { body } = await registry.get('/api/v1/projects', { token });
    expect(body.projects).toMatchObject([{ project: 'acme/shop', owner: null, refs: 1 }]);
  });

  it('replace an owner page by page', async () => {
    const server = await startScripted(
      json(200, { replaced: 2, next: 'shop' }),
      json(200, { replaced: 1, next: null }),
    );

    const { stdout } = await run(['projects', 'replace-owner', 'a', 'b'], {
      env: { REGISTRY_URL: server.url },
    });

    expect(stdout).toBe('Replaced the owner of 3 projects: a → b.\n');
    expect(server.received.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { owner: 'a', replacement: 'b', after: null },
      { owner: 'a', replacement: 'b', after: 'shop' },
    ]);
    await server.close();
  });

  it('explain what to do about an unknown project, a missing ref and an unused package', async () => {
    const unknown = await run(['projects', 'show', 'nope']);
    const noRef = await run(['projects', 'remove', 'acme/shop']);
    const unused = await run(['where', 'nosuch']);

    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(
      'List projects with registry projects; record one with registry check --record.\n',
    );
    expect(noRef.code).toBe(2);
    expect(noRef.stderr).toContain(
      'Missing --ref: name the branch or tag, such as --ref main. registry projects show acme/shop lists the refs.',
    );
    expect(unused).toMatchObject({ code: 0, stderr: 'No recorded project uses nosuch.\n' });
    expect(unused.stdout).not.toContain('at least');
  });

  it('show a number of projects that is a lower bound', async () => {
    const uses = [
      {
        ...{ ecosystem: 'npm', name: 'lodash', version: '1.0.0', project: 'shop', ref: 'main' },
        ...{ direct: null, owner: null, recorded_at: '2026-11-20T08:30:00.000Z' },
      },
    ];
    const server = await startScripted(
      json(200, { projects: 50, projects_at_least: true, uses, next: null }),
      json(200, { projects: 1, projects_at_least: false, uses, next: null }),
    );
    const ask = () => run(['where', 'lodash'], { env: { REGISTRY_URL: server.url } });

    expect((await ask()).stdout).toMatch(/^Projects +at least 50\n\n/);
    expect((await ask()).stdout).toMatch(/^Projects +1\n\n/);
    await server.close();
  });

  it('need a token', async () => {
    const { code, stderr } = await run(['where', 'lodash'], { env: { REGISTRY_TOKEN: '' } });

    expect(code).toBe(1);
    expect(stderr).toContain('The API key is missing');
  });
});

describe('registry vulnerability projects', () => {
  it('shows who uses the affected versions', async () => {
    const server = await startScripted(
      json(200, {
        id: 'CVE-2021-44228',
        uses: [
          {
            ...{ ecosystem: 'npm', name: 'lodash', version: '1.0.0', project: 'shop', ref: 'main' },
            ...{ direct: null, owner: null, recorded_at: '2026-11-20T08:30:00.000Z' },
          },
        ],
        next: null,
      }),
      problem(404, 'vulnerability_not_found'),
    );
    const ask = () =>
      run(['vulnerability', 'projects', 'CVE-2021-44228'], { env: { REGISTRY_URL: server.url } });

    const found = await ask();
    const unknown = await ask();

    expect(found.stdout).toMatch(/npm:lodash@1\.0\.0 +shop +main/);
    expect(unknown.code).toBe(1);
    await server.close();
  });
});

describe('a recording', () => {
  it('keeps the snapshot before while a file is unreadable', async () => {
    const cwd = makeProject('lodash', 'left-pad');
    mkdirSync(join(cwd, 'b'));
    writeFileSync(join(cwd, 'b', 'package-lock.json'), '{"lockfileVersion": 3, "packages": {}}');
    const before = await run(['check', '--record', 'two'], { cwd });
    writeFileSync(join(cwd, 'b', 'package-lock.json'), '{"lockfileVersion": 3,');

    const { code, stderr } = await run(['check', '--record', 'two'], { cwd });

    expect(before.stderr).toContain('Recorded 2 versions as two (main), snapshot 1');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'warning: two was not recorded: b/package-lock.json is unreadable. Repair it and record again.\n',
    );
    const { body } = await registry.get('/api/v1/projects/two', { token });
    expect(body.refs).toMatchObject([{ number: 1, versions: 2 }]);
  });

  it('refuses a passed check that did not cover all files, except those of other ecosystems', async () => {
    const cwd = makeProject('lodash', 'left-pad');
    writeFileSync(join(cwd, 'go.sum'), '');
    const before = await run(['check', '--record', 'mixed'], { cwd });
    writeFileSync(join(cwd, 'bun.lockb'), '');

    const { code, stderr, stdout } = await run(['check', '--record', 'mixed', '--json'], { cwd });
    const named = await run(['check', '--record', 'mixed', 'package-lock.json'], { cwd });

    expect(before.code).toBe(0);
    expect(code).toBe(2);
    expect(stderr).toContain('mixed was not recorded: bun.lockb: It is a binary lockfile');
    expect(stderr).toContain('Or name the files to record.');
    expect(JSON.parse(stdout)).toMatchObject({ allowed: true, recording: null });
    expect(named.code).toBe(0);
  });

  it('counts entries without an exact version', async () => {
    const cwd = makeProject('lodash', 'left-pad');
    writeFileSync(join(cwd, 'requirements.txt'), 'requests>=2\nflask\n');

    const { stderr } = await run(['check', '--record', 'ranges'], { cwd });

    expect(stderr).toMatch(/Recorded 2 versions as ranges .* 2 left out: no valid version\./);
  });

  it.each([
    [{ GITHUB_REF_NAME: 'release/2' }, 'release/2'],
    [{ GITHUB_REF_NAME: '12/merge', GITHUB_HEAD_REF: 'topic' }, '12/merge'],
    [{ CI_COMMIT_REF_NAME: 'topic' }, 'topic'],
    [{}, 'main'],
  ])('records the ref of the job %j as %s', async (env, ref) => {
    const cwd = makeProject('lodash', 'left-pad');

    const { stderr } = await run(['check', '--record', 'jobs'], { cwd, env });

    expect(stderr).toContain(`Recorded 2 versions as jobs (${ref}), snapshot 1`);
  });

  it('prefers --ref to the ref of the job, and refuses a job whose ref cannot be one', async () => {
    const cwd = makeProject('lodash', 'left-pad');
    const env = { GITHUB_REF_NAME: 'gr\u00f6\u00dfe' };

    const refused = await run(['check', '--record', 'jobs'], { cwd, env });
    const named = await run(['check', '--record', 'jobs', '--ref', 'v2'], { cwd, env });

    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'The ref of the CI job, gr\u00f6\u00dfe, must be the name of a branch or tag',
    );
    expect(refused.stderr).toContain('Give one with --ref.');
    expect(named.stderr).toContain('as jobs (v2), snapshot 1');
  });
});

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { databaseOf } from '../support/database.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { overridingVariables } from '../support/stack-parts.ts';

const admin = 'admin-token-of-more-than-thirty-two-characters';
const submitter = 'submit-token-of-more-than-thirty-two-characters';
const reviewer = 'review-token-of-more-than-thirty-two-characters';

const withOwn = overridingVariables({ [settingVariables.ownPackages]: 'npm:@acme/*' });

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: `admin:${admin},ci/submit:${submitter},ana/review:${reviewer}`,
    clock: new FunctionClock(),
    transform: withOwn,
  });
});
afterAll(() => registry.close());

const npm = (name: string, version: string, direct = false) => ({
  ...{ ecosystem: 'npm', name, version, direct },
});
const toPath = (project: string): string => `/api/v1/projects/${encodeURIComponent(project)}`;
const record = (project: string, body: object) =>
  registry.post(`${toPath(project)}/snapshots`, { ref: 'main', ...body }, { token: submitter });
const read = (path: string) => registry.get(path, { token: reviewer });
const whoUses = async (name: string, query = '') =>
  (await read(`${packagePath(name, '/projects')}${query}`)).body;

describe('a recording', () => {
  const versions = [npm('lodash', '4.17.21', true), npm('left-pad', '1.3.0')];

  it('shows its snapshot, and counts an equal one as unchanged', async () => {
    const first = await record('acme/shop', { commit: 'abc', owner: 'payments', versions });
    registry.clock.pass(60_000);

    const again = await record('acme/shop', { commit: 'def', versions: versions.toReversed() });

    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      ...{ project: 'acme/shop', ref: 'main', number: 1, commit: 'abc', recorded_by: 'ci' },
      ...{ versions: 2, direct: 1, changed: true, added: 2, removed: 0 },
    });
    expect(again.body).toEqual({
      ...first.body,
      ...{ commit: 'def', changed: false, added: 0, recorded_at: expect.any(String) },
    });
    const passed = Date.parse(again.body.recorded_at) - Date.parse(first.body.recorded_at);
    expect(passed).toBeGreaterThanOrEqual(60_000);
  });

  it('has the SHA-256 of the canonical JSON as its digest', async () => {
    const { body } = await record('digest', {
      versions: [{ ...npm('b', '1.0.0'), files: ['x', 'a'] }, npm('a', '2.0.0', true)],
    });

    const json =
      '[{"direct":true,"ecosystem":"npm","files":[],"name":"a","version":"2.0.0"},' +
      '{"direct":false,"ecosystem":"npm","files":["a","x"],"name":"b","version":"1.0.0"}]';
    const hash = await crypto.subtle.digest('SHA-256', Buffer.from(json));
    expect(body.digest).toBe(`sha256:${Buffer.from(hash).toString('hex')}`);
  });

  it('joins spellings of one version, with all its files', async () => {
    const pypi = { ecosystem: 'pypi', version: '1.0' };

    const { body } = await record('spellings', {
      versions: [
        { ...pypi, name: 'Ruamel.YAML', direct: false, files: ['b.txt'] },
        { ...pypi, name: 'ruamel_yaml', direct: true, files: ['a.txt'] },
      ],
    });

    expect(body).toMatchObject({ versions: 1, direct: 1 });
    expect((await read(toPath('spellings'))).body.versions).toEqual([
      {
        ...{ ecosystem: 'pypi', name: 'ruamel-yaml', version: '1', direct: true },
        ...{ files: ['a.txt', 'b.txt'], status: 'unknown', attention: [], own_package: false },
      },
    ]);
  });

  it('changes who uses what', async () => {
    await record('changing', { versions: [npm('gone', '1.0.0'), npm('kept', '1.0.0')] });

    const { body } = await record('changing', {
      versions: [npm('kept', '1.0.0', true), npm('new', '1.0.0')],
    });

    expect(body).toMatchObject({ number: 2, changed: true, added: 1, removed: 1 });
    expect((await whoUses('gone')).uses).toEqual([]);
    expect((await whoUses('kept')).uses).toMatchObject([{ project: 'changing', direct: true }]);
    expect((await whoUses('new')).uses).toMatchObject([{ project: 'changing', direct: false }]);
  });

  it('takes 5,000 versions in one request, and gives them in pages', async () => {
    const versions = Array.from({ length: 5000 }, (_, at) => ({
      ...npm(`@acme-platform/of-many-packages-${at}`, '10.20.30'),
      files: ['services/checkout/package-lock.json', 'services/basket/package-lock.json'],
    }));

    const { body } = await record('large', { versions });

    expect(body).toMatchObject({ versions: 5000, added: 5000 });
    const seen = new Set<string>();
    let after = '';
    do {
      const page = (await read(`${toPath('large')}?limit=1000${after}`)).body;
      for (const { name } of page.versions) seen.add(name);
      after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (after);
    expect(seen.size).toBe(5000);
  });

  it.each([
    ['a project without a valid name', '-x', { versions: [] }],
    ['a ref with a blank', 'shop', { ref: 'a b', versions: [] }],
    ['a version that cannot be', 'shop', { versions: [npm('a', 'latest')] }],
    ['too many versions', 'shop', { versions: Array(5001).fill(npm('a', '1.0.0')) }],
  ])('is refused with %s', async (_, project, body) => {
    expect((await record(project, body)).body.code).toBe('validation_failed');
  });

  it('is refused for a 21st ref', async () => {
    for (let at = 0; at < 20; at += 1) await record('refs', { ref: `b${at}`, versions: [] });

    expect((await record('refs', { versions: [] })).body).toMatchObject({
      ...{ status: 409, code: 'too_many_projects' },
    });
    expect((await record('refs', { ref: 'b7', versions: [] })).status).toBe(200);
  });
});

describe('another request on a ref', () => {
  it('is refused while one is in progress, and completes it after that', async () => {
    const versions = [npm('leased', '1.0.0')];
    await record('leased', { versions });
    const put = (until: number) =>
      databaseOf(registry).send(
        new UpdateCommand({
          TableName: registry.stack.tables['PROJECTS_TABLE'],
          Key: { p: 'project#leased', k: 'main' },
          UpdateExpression: 'SET lease = :lease',
          ExpressionAttributeValues: { ':lease': { id: 'other', until, recording: null } },
        }),
      );
    await put(Date.parse(registry.clock.at(60_000)));

    const recorded = await record('leased', { versions });
    const path = `${toPath('leased')}?ref=main`;
    const removed = await registry.send('DELETE', path, { token: submitter });
    await put(0);
    const later = await record('leased', { versions });

    expect([recorded.body.code, removed.body.code]).toEqual(Array(2).fill('recording_in_progress'));
    expect(recorded.headers.get('Retry-After')).toBe('10');
    expect(later.body).toMatchObject({ number: 1, changed: true, added: 1 });
    expect(await whoUses('leased')).toMatchObject({ projects: 1, uses: [{ ref: 'main' }] });
  });
});

describe('the versions of a project', () => {
  it('have their status of the moment, in pages', async () => {
    const names = ['a-pending', 'b-approved', 'c-rejected'];
    for (const name of names) {
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: admin });
    }
    await registry.post(packagePath('b-approved', '/approve'), {}, { token: admin });
    const reason = 'malicious';
    await registry.post(packagePath('c-rejected', '/reject'), { reason }, { token: admin });
    const versions = [...names, '@acme/own', 'd-unknown'].map((name) => npm(name, '1.0.0'));
    await record('statuses', { versions });

    const { body } = await read(toPath('statuses'));
    const first = await read(`${toPath('statuses')}?limit=2`);
    const second = await read(
      `${toPath('statuses')}?limit=2&after=${encodeURIComponent(first.body.next)}`,
    );

    expect(body.versions).toMatchObject([
      { name: '@acme/own', status: 'unknown', own_package: true },
      { name: 'a-pending', status: 'pending', own_package: false },
      { name: 'b-approved', status: 'approved', attention: [] },
      { name: 'c-rejected', status: 'rejected' },
      { name: 'd-unknown', status: 'unknown' },
    ]);
    expect(first.headers.get('Link')).toContain('rel="next"');
    expect([...first.body.versions, ...second.body.versions]).toEqual(body.versions.slice(0, 4));
  });

  it('are those of main, or else of the ref that was recorded last', async () => {
    await record('refs-of', { ref: 'dev', versions: [npm('of-dev', '1.0.0')] });
    registry.clock.pass(1000);
    await record('refs-of', { ref: 'feature/a+b', versions: [npm('of-feature', '1.0.0')] });

    const newest = await read(toPath('refs-of'));
    const named = await read(`${toPath('refs-of')}?ref=dev`);
    await record('refs-of', { versions: [npm('of-main', '1.0.0')] });
    const main = await read(toPath('refs-of'));

    expect(newest.body).toMatchObject({ ref: 'feature/a+b', versions: [{ name: 'of-feature' }] });
    expect(named.body).toMatchObject({ ref: 'dev', versions: [{ name: 'of-dev' }] });
    expect(main.body).toMatchObject({ ref: 'main', versions: [{ name: 'of-main' }] });
    expect(main.body.refs.map(({ ref }: { ref: string }) => ref)).toEqual([
      'dev',
      'feature/a+b',
      'main',
    ]);
  });

  it.each(['nobody', 'acme/shop?ref=other', '-'])('are unknown for %s', async (text) => {
    const [project = '', query] = text.split('?');

    const { body } = await read(`${toPath(project)}${query ? `?${query}` : ''}`);

    expect(body).toMatchObject({ status: 404, code: 'project_not_found' });
  });
});

describe('who uses a package', () => {
  it('is found for a version, for all versions, and in pages', async () => {
    await record('uses-a', { versions: [npm('used', '1.0.0'), npm('used', '1.0.0-a')] });
    await record('uses-b', { ref: 'x#y', versions: [npm('used', '1.0.0')] });
    await record('uses-c', { versions: [npm('used', '10.0.0', true)] });

    const one = await whoUses('used', '?version=1.0.0');
    const all = await whoUses('used');

    expect(one).toMatchObject({
      ...{ projects: 2, projects_at_least: false, next: null },
      uses: [
        { project: 'uses-a', ref: 'main', version: '1.0.0', direct: false, owner: null },
        { project: 'uses-b', ref: 'x#y', version: '1.0.0' },
      ],
    });
    expect(all).toMatchObject({ projects: 3 });
    expect(all.uses).toHaveLength(4);
    const paged = [];
    let after = '';
    do {
      const page = await whoUses('used', `?limit=1${after}`);
      paged.push(...page.uses);
      after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (after);
    expect(paged).toEqual(all.uses);
  });

  it('is found in every ecosystem that can have the name, and by a Maven artifact id', async () => {
    const log4j = 'org.apache.logging.log4j:log4j-core';
    const version = '2.14.1';
    await record('many', {
      versions: [
        npm('log4j-core', version),
        { ecosystem: 'maven', name: log4j, version, direct: true },
        { ecosystem: 'docker', name: 'log4j-core', version, direct: true },
      ],
    });

    const found = async (query: string) =>
      (await whoUses('log4j-core', query)).uses.map(
        ({ ecosystem, name }: { ecosystem: string; name: string }) => `${ecosystem}:${name}`,
      );

    const all = ['npm:log4j-core', 'docker:log4j-core', `maven:${log4j}`];
    expect(await found(`?version=${version}`)).toEqual(all);
    expect(await found('?ecosystem=maven')).toEqual([`maven:${log4j}`]);
    expect(await found('?limit=2')).toEqual(all.slice(0, 2));
    expect(
      await found(`?limit=2&after=${encodeURIComponent(`docker#log4j-core#${version}#many#main`)}`),
    ).toEqual(all.slice(2));
    expect((await whoUses(log4j)).uses).toMatchObject([{ project: 'many' }]);
  });

  it('is nobody for a package that no project uses, and for a name that cannot be', async () => {
    const none = { projects: 0, projects_at_least: false, uses: [], next: null };

    expect(await whoUses('nobody-uses-this')).toEqual(none);
    expect(await whoUses('% %')).toEqual(none);
    expect(await whoUses('used', '?version=9.9.9')).toEqual(none);
  });

  it('is listed for several versions at once, in their order', async () => {
    const log4j = { ecosystem: 'maven', name: 'org.acme:listed', version: '1.0.0' };
    for (const at of [1, 2, 3, 4, 5, 6]) {
      await record(`lists-${at}`, {
        owner: at === 1 ? 'payments@example.com' : undefined,
        versions: [npm('listed', '1.0.0'), ...(at > 4 ? [{ ...log4j, direct: true }] : [])],
      });
      await record(`lists-${at}`, { ref: 'dev', versions: [npm('listed', '1.0.0')] });
    }
    const [listed, unused] = [
      { ecosystem: 'npm', name: 'listed', version: '1.0.0' },
      { ecosystem: 'npm', name: 'listed', version: '9.9.9' },
    ];
    const invalid = { ecosystem: 'npm', name: '% %', version: 'x'.repeat(3000) };
    const ask = (packages: readonly object[]) =>
      registry.post('/api/v1/project-uses', { packages }, { token: reviewer });

    const { status, body } = await ask([log4j, listed, unused, invalid, log4j]);
    const [none, many] = [await ask([]), await ask(Array(101).fill(listed))];

    const nobody = { projects: 0, projects_at_least: false, used_by: [] };
    const uses = {
      ...{ ...log4j, projects: 2, projects_at_least: false },
      used_by: [5, 6].map((at) => ({ project: `lists-${at}`, owner: null })),
    };
    expect(status).toBe(200);
    expect(body.packages).toEqual([
      uses,
      {
        ...{ ...listed, projects: 6, projects_at_least: false },
        used_by: [1, 2, 3, 4, 5].map((at) => ({
          project: `lists-${at}`,
          owner: at === 1 ? 'payments@example.com' : null,
        })),
      },
      { ...unused, ...nobody },
      { ...invalid, ...nobody },
      uses,
    ]);
    for (const refused of [none, many]) expect(refused.body.code).toBe('validation_failed');
    const unsaid = await registry.post('/api/v1/project-uses', { packages: [listed] });
    expect(unsaid.body.code).toBe('missing_token');
  });

  it('needs a token of any scope', async () => {
    for (const path of [
      '/api/v1/projects',
      toPath('uses-a'),
      packagePath('used', '/projects'),
      '/api/v1/vulnerabilities/CVE-2021-44228/projects',
    ]) {
      expect((await registry.get(path)).body.code).toBe('missing_token');
      expect((await registry.get(path, { token: 'x' })).body.code).toBe('invalid_token');
    }
    const unsaid = await registry.get(packagePath('b-approved'));
    expect(JSON.stringify(unsaid.body)).not.toContain('statuses');
  });
});

describe('projects', () => {
  it('are listed by name, and by owner', async () => {
    for (const [at, owner] of ['x@example.com', 'y@example.com', 'x@example.com'].entries()) {
      await record(`zz-${at}`, { owner, versions: [] });
    }

    const mine = await read('/api/v1/projects?owner=x@example.com');
    const first = await read('/api/v1/projects?owner=x@example.com&limit=1');
    const after = await read(`/api/v1/projects?after=${first.body.next}`);

    expect(mine.body).toMatchObject({
      projects: [{ project: 'zz-0', refs: 1 }, { project: 'zz-2' }],
      next: null,
    });
    expect(first.body).toMatchObject({ projects: [{ project: 'zz-0' }], next: 'zz-0' });
    expect(after.body.projects).toMatchObject([{ project: 'zz-1' }, { project: 'zz-2' }]);
  });

  it('keep their owner, and get another one by one request, with valid digests', async () => {
    const before = (await record('zz-0', { versions: [npm('owned', '1.0.0')] })).body;
    const replace = (replacement: string | null) =>
      registry.post(
        '/api/v1/project-owners',
        { owner: 'x@example.com', replacement },
        { token: reviewer },
      );
    expect((await whoUses('owned')).uses).toMatchObject([{ owner: 'x@example.com' }]);

    const replaced = await replace('person-1');
    const again = await replace('person-1');

    expect(replaced.body).toEqual({ replaced: 2, next: null });
    expect(again.body).toEqual({ replaced: 0, next: null });
    expect((await whoUses('owned')).uses).toMatchObject([{ owner: 'person-1' }]);
    const { body } = await read(toPath('zz-0'));
    expect(body).toMatchObject({ owner: 'person-1', refs: [{ digest: before.digest }] });
  });

  it('lose a ref, and go with the last one', async () => {
    await record('removed', { ref: 'dev', versions: [npm('of-removed', '1.0.0')] });
    await record('removed', { versions: [npm('of-removed', '1.0.0')] });
    const remove = (ref: string, key: string) =>
      registry.send('DELETE', `${toPath('removed')}?ref=${ref}`, {
        token: submitter,
        headers: { 'Idempotency-Key': key },
      });

    const first = await remove('dev', 'one');
    const left = await whoUses('of-removed');
    const last = await remove('main', 'two');
    const replayed = await remove('main', 'two');
    const unknown = await remove('main', 'three');

    expect(first.body).toEqual({ project: 'removed', ref: 'dev', project_removed: false });
    expect(left.uses).toMatchObject([{ ref: 'main' }]);
    expect(last.body).toEqual({ project: 'removed', ref: 'main', project_removed: true });
    expect([replayed.status, replayed.body]).toEqual([200, last.body]);
    expect(unknown.body.code).toBe('project_not_found');
    expect((await whoUses('of-removed')).uses).toEqual([]);
    expect((await read(toPath('removed'))).status).toBe(404);
  });
});

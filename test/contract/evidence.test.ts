import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { eventually } from '../support/eventually.ts';
import { functionOf } from '../support/functions.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { changeHead } from './facts-exercises.ts';

const blocking = 'license_rejected,not_found_at_origin,too_young';

/** Sets up approvals with blocking issues from upstream metadata. */
const demanding = (model: StackModel): StackModel => {
  const approve = functionOf(model, 'approve-package');
  const evidence = functionOf(model, 'show-evidence');
  const settings = {
    [settingVariables.blockingIssues]: blocking,
    [settingVariables.minimumAgeDays]: '7',
  };
  const withSettings = (one: typeof approve) => ({
    ...one,
    environment: { ...one.environment, ...settings },
  });
  return {
    ...model,
    functions: {
      ...model.functions,
      [approve.id]: withSettings(approve),
      [evidence.id]: withSettings(evidence),
    },
  };
};

let origin: OriginServer;
let registry: TestRegistry;

beforeAll(async () => {
  origin = await startOriginServer();
  registry = await TestRegistry.start({
    originUrl: origin.url,
    licenses: true,
    transform: demanding,
  });
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const path = (name: string) => `/npm/${encodeURIComponent(name)}`;

/** Serves a version from the npm origin, with extra upstream metadata. */
const publish = (name: string, more: Readonly<Record<string, unknown>> = {}): void => {
  const version = '1.0.0';
  const { publishedAt = '2024-03-01T10:00:00.000Z', ...said } = more;
  const dist = { tarball: `${origin.url}/${name}.tgz`, shasum: '5b8a3a7765dfe001261dde915589e782' };
  origin.serve(path(name), {
    body: {
      name,
      'dist-tags': { latest: '2.0.0' },
      time: { [version]: publishedAt },
      versions: { [version]: { name, version, license: 'MIT', dist, ...said } },
    },
  });
};

const submit = (name: string, license = 'MIT') =>
  registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license });

const readEvidence = async (name: string) =>
  (await registry.get(packagePath(name, '/evidence'))).body;

/** Waits for the upstream metadata of a version. */
const awaitFacts = (name: string) =>
  eventually(async () => {
    const evidence = await readEvidence(name);
    expect(evidence.facts).not.toBeNull();
    return evidence;
  });

const codes = ({ issues }: { issues: { code: string; blocks: boolean }[] }) =>
  Object.fromEntries(issues.map(({ code, blocks }) => [code, blocks]));

const collect = (name: string) =>
  registry.stack.invoke(functionOf(registry.stack.model, 'collect-facts').id, {
    Records: [
      {
        messageId: 'one',
        body: JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' }),
      },
    ],
  });

describe('the evidence of a version', () => {
  it('contains the upstream metadata from the submission on, with all evidence of a decision', async () => {
    publish('known', { description: 'Knows', deprecated: 'use b' });
    await submit('known', 'Apache-2.0');

    const evidence = await awaitFacts('known');

    expect(evidence.package).toMatchObject({ name: 'known', status: 'pending' });
    expect(evidence.facts).toMatchObject({
      found: 'yes',
      published_at: '2024-03-01T10:00:00.000Z',
      licenses_declared: ['MIT'],
      license: 'MIT',
      description: 'Knows',
      deprecated: 'use b',
      newest_version: '2.0.0',
    });
    const mit = { text: 'MIT', normalized: 'MIT', status: 'approved' };
    expect(evidence.license).toEqual({
      submitted: { text: 'Apache-2.0', normalized: 'Apache-2.0', status: 'approved' },
      upstream_declaration: 'readable',
      upstream: mit,
      effective: { source: 'upstream', ...mit },
    });
    expect(evidence).toMatchObject({ scan: null, earlier: [], held_by: null });
    // This registry has no automatic scans.
    expect(evidence.waits_for).toEqual([]);
    expect(codes(evidence)).toEqual({
      scan_missing: false,
      license_differs: false,
      deprecated: false,
    });
  });

  it('has no license before the upstream metadata arrives', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'bare', version: '1.0.0' });

    const { facts, license } = await readEvidence('bare');

    expect(facts === null || facts.found === 'no').toBe(true);
    expect(license).toMatchObject({ submitted: null, upstream: null, effective: null });
  });

  it('reports an unpublished name, which blocks an approval when the settings require it', async () => {
    await submit('no-such-name');

    const evidence = await awaitFacts('no-such-name');
    const refused = await registry.post(packagePath('no-such-name', '/approve'));
    const approved = await registry.post(packagePath('no-such-name', '/approve'), {
      override: true,
      reason: 'Ours, from a mirror of our own',
    });

    expect(evidence.facts).toMatchObject({ found: 'no', name_found: false });
    expect(evidence.license.upstream_declaration).toBe('unknown');
    expect(codes(evidence)).toMatchObject({ not_found_at_origin: true });
    expect(refused.status).toBe(409);
    expect(refused.body.reasons).toMatchObject([{ code: 'not_found_at_origin' }]);
    expect(approved.status).toBe(200);
    const history = await registry.get(packagePath('no-such-name', '/history'));
    expect(history.body.history[0]).toMatchObject({
      overridden: ['not_found_at_origin'],
      evidence: { facts: { found: 'no', name_found: false } },
    });
  });

  it('changes the evidence version when upstream deprecates the version, and not on a plain refresh', async () => {
    publish('aging');
    await submit('aging');
    const versions = [(await awaitFacts('aging')).evidence_version];
    for (const said of [{}, { deprecated: 'use another one' }]) {
      publish('aging', said);
      const checked_at = '2026-01-01T00:00:00.000Z';
      await changeHead(registry, 'aging', (head) => ({
        facts: { ...Object(head['facts']), checked_at },
        refresh_at: checked_at,
      }));
      await collect('aging');
      const { facts, evidence_version } = await readEvidence('aging');
      expect(facts.checked_at).not.toBe(checked_at);
      versions.push(evidence_version);
    }

    expect(versions[1]).toBe(versions[0]);
    expect(versions[2]).not.toBe(versions[0]);
  });

  it.each([
    ['deprecated', { deprecated: 'use another one' }],
    ['content_changed', { dist: { tarball: 'https://example.com/b.tgz', shasum: 'b'.repeat(40) } }],
  ])(
    'reports attention when the version is %s, until a reviewer keeps the approval',
    async (reason, said) => {
      const name = `later-${reason}`;
      publish(name);
      await submit(name);
      await awaitFacts(name);
      await registry.post(packagePath(name, '/approve'));
      publish(name, said);
      await changeHead(registry, name, (head) => ({
        facts: { ...Object(head['facts']), checked_at: '2026-01-01T00:00:00.000Z' },
        refresh_at: '2026-01-01T00:00:00.000Z',
      }));
      await collect(name);
      const listed = async () =>
        (await registry.get('/api/v1/attention')).body.attention.filter(
          (one: { name: string }) => one.name === name,
        );
      const before = await listed();

      const kept = await registry.post(packagePath(name, '/approve'), {
        ...{ keep: true, reason: 'Used in tests only' },
      });

      expect(before).toMatchObject([{ reasons: [reason] }]);
      expect(kept.body).toMatchObject({ status: 'approved', reason: 'Used in tests only' });
      expect(await listed()).toEqual([]);
    },
  );

  it('shows the digest to pin, and after the approval the pinned one despite later upstream changes', async () => {
    const integrity = (letter: string) => `sha512-${letter.repeat(86)}==`;
    const publishWith = (letter: string) =>
      publish('pinnable', {
        dist: { tarball: `${origin.url}/pinnable.tgz`, integrity: integrity(letter) },
      });
    const askAgain = async () => {
      const checked_at = '2026-01-01T00:00:00.000Z';
      await changeHead(registry, 'pinnable', (head) => ({
        facts: { ...Object(head['facts']), checked_at },
        refresh_at: checked_at,
      }));
      await collect('pinnable');
      return readEvidence('pinnable');
    };
    const files = (letter: string, pinned: boolean) => ({
      ...{ pinned, total: 1 },
      files: [
        {
          ...{ file: 'pinnable-1.0.0.tgz', digest: integrity(letter) },
          url: `${origin.url}/pinnable.tgz`,
        },
      ],
    });
    publishWith('A');
    await submit('pinnable');
    const first = await awaitFacts('pinnable');

    publishWith('B');
    const second = await askAgain();
    await registry.post(packagePath('pinnable', '/approve'), {
      expected_evidence_version: second.evidence_version,
    });
    const approved = await readEvidence('pinnable');
    publishWith('C');
    const changed = await askAgain();

    expect(first.files).toEqual(files('A', false));
    expect(second.files).toEqual(files('B', false));
    expect(second.evidence_version).not.toBe(first.evidence_version);
    expect(approved.files).toEqual(files('B', true));
    expect(changed.files).toEqual(files('B', true));
    const packument = await fetch(`${registry.url}/npm/pinnable`);
    const { versions } = (await packument.json()) as {
      versions: Record<string, { dist: { integrity: string } }>;
    };
    expect(versions['1.0.0']?.dist.integrity).toBe(integrity('B'));
  });

  it('has no digests when the origin does not have the version', async () => {
    await submit('not-published');

    expect((await awaitFacts('not-published')).files).toBeNull();
  });

  it('blocks the approval of a version below the minimum age of the settings', async () => {
    publish('fresh', { publishedAt: new Date(Date.now() - 3_600_000).toISOString() });
    await submit('fresh');

    await awaitFacts('fresh');
    const refused = await registry.post(packagePath('fresh', '/approve'));

    expect(refused.body.reasons).toMatchObject([{ code: 'too_young' }]);
  });

  it('reports unknown metadata when the origin fails, and allows the approval', async () => {
    origin.serve(path('unlucky'), { status: 400, body: 'no' });
    await submit('unlucky');

    const evidence = await awaitFacts('unlucky');

    expect(evidence.facts.found).toBe('unknown');
    expect(evidence.facts.reason).toContain('400');
    expect((await registry.post(packagePath('unlucky', '/approve'))).status).toBe(200);
  });

  it('lists the decisions on other versions of the package, newest first', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      await registry.submit({ ecosystem: 'npm', name: 'series', version, license: 'MIT' });
    }
    const decide = (version: string, what: string) =>
      registry.post(packagePath('series', `/${what}?version=${version}`), {
        reason: `because ${version}`,
        override: what === 'approve' ? true : undefined,
      });
    await decide('1.0.0', 'approve');
    await decide('1.1.0', 'reject');

    const { body } = await registry.get(packagePath('series', '/evidence?version=1.2.0'));
    const own = await registry.get(packagePath('series', '/evidence?version=1.0.0'));

    expect(body.earlier).toMatchObject([
      { version: '1.1.0', status: 'rejected', reason: 'because 1.1.0' },
      { version: '1.0.0', status: 'approved', reason: 'because 1.0.0' },
    ]);
    expect(own.body.earlier).toMatchObject([{ version: '1.1.0' }]);
  });

  it('warns of a dependency until a version in its range is approved', async () => {
    publish('dependent', { dependencies: { 'dependent-on': '^1.0.0', other: 'file:other' } });
    publish('dependent-on');
    await submit('dependent');
    await submit('dependent-on');
    const before = await awaitFacts('dependent');
    await awaitFacts('dependent-on');
    await registry.post(packagePath('dependent-on', '/approve'));
    const after = await readEvidence('dependent');
    const approved = await registry.post(packagePath('dependent', '/approve'), {
      expected_evidence_version: before.evidence_version,
    });

    expect(before.issues).toContainEqual({
      code: 'dependency_unmet',
      message: '1 dependency has no approved version in its range: npm:dependent-on ^1.0.0.',
      blocks: false,
    });
    expect(codes(after)).not.toHaveProperty('dependency_unmet');
    expect(after.evidence_version).toBe(before.evidence_version);
    expect(approved.status).toBe(200);
  });

  it('accepts no override of a warning that never blocks', async () => {
    await submit('overridden');
    const { status, body } = await registry.post(packagePath('overridden', '/approve'), {
      ...{ override: ['dependency_unmet'], reason: 'Only used in tests' },
    });

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'override' }]);
  });

  it('returns 404 for an unknown package', async () => {
    const { status, body } = await registry.get(packagePath('nobody', '/evidence'));

    expect(status).toBe(404);
    expect(body.code).toBe('package_not_found');
  });
});

describe('the effective license', () => {
  const refuse = async (name: string) => {
    const { status, body } = await registry.post(packagePath(name, '/approve'));
    return [status, body.reasons?.map(({ code }: { code: string }) => code)];
  };
  const row = async (name: string) =>
    (await registry.get(`/api/v1/packages?view=full&search=${name}`)).body.packages[0];
  const check = async (name: string) => {
    const packages = [{ ecosystem: 'npm', name, version: '1.0.0' }];
    const { body } = await registry.post('/api/v1/check', { packages });
    return body.packages[0].reasons.map(({ code }: { code: string }) => code);
  };

  it.each([undefined, 'MIT', 'BSD'])(
    'is the declared rejected license when the submitted license is %s',
    async (license) => {
      const name = `copyleft-${license ?? 'none'}`.toLowerCase();
      publish(name, { license: 'GNU AGPL v3' });
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license });
      const evidence = await awaitFacts(name);

      expect(evidence.license.effective).toEqual({
        ...{ source: 'upstream', text: 'GNU AGPL v3' },
        ...{ normalized: 'AGPL-3.0-only', status: 'rejected' },
      });
      expect(await refuse(name)).toEqual([409, ['license_rejected']]);
      expect(await row(name)).toMatchObject({
        ...{ license: license ?? null, license_status: 'rejected' },
        effective_license: 'AGPL-3.0-only',
      });
      expect(await check(name)).toContain('license_rejected');
      const approval = { override: true, reason: 'Only to compare' };
      expect((await registry.post(packagePath(name, '/approve'), approval)).status).toBe(200);
      const { body } = await registry.get(packagePath(name, '/history'));
      expect(body.history[0]).toMatchObject({
        overridden: ['license_rejected'],
        evidence: { license: { effective: { source: 'upstream', status: 'rejected' } } },
      });
    },
  );

  it('is the submitted rejected license when the package declares an approved one', async () => {
    publish('relicensed');
    await submit('relicensed', 'AGPL-3.0-only');
    const { license } = await awaitFacts('relicensed');

    expect(license.effective).toMatchObject({ source: 'submitted', text: 'AGPL-3.0-only' });
    expect(await refuse('relicensed')).toEqual([409, ['license_rejected']]);
  });

  it('has the current status of the organisation', async () => {
    publish('decided-later', { license: 'Zlib' });
    await registry.submit({ ecosystem: 'npm', name: 'decided-later', version: '1.0.0' });
    await awaitFacts('decided-later');
    const decide = (status: string | null) =>
      registry.send('PUT', '/api/v1/licenses/Zlib', { body: { status } });

    await decide('rejected');
    const refused = await refuse('decided-later');
    await decide(null);

    expect(refused).toEqual([409, ['license_rejected']]);
    expect((await registry.post(packagePath('decided-later', '/approve'))).status).toBe(200);
  });

  it('is null when the package declares an unreadable license, whatever the submission has', async () => {
    publish('pointer', { license: 'SEE LICENSE IN LICENSE.md' });
    await submit('pointer', 'MIT');
    const { license } = await awaitFacts('pointer');

    expect(license).toEqual({
      submitted: { text: 'MIT', normalized: 'MIT', status: 'approved' },
      upstream_declaration: 'unreadable',
      upstream: null,
      effective: { source: 'upstream', text: null, normalized: null, status: 'unreadable' },
    });
    expect(await refuse('pointer')).toEqual([409, ['license_unreadable']]);
    expect(await row('pointer')).toMatchObject({
      ...{ license: 'MIT', license_status: 'unreadable', effective_license: null },
    });
    const approval = { override: true, reason: 'Its license file is the MIT license' };
    expect((await registry.post(packagePath('pointer', '/approve'), approval)).status).toBe(200);
  });

  it('is the submitted license when the package declares none', async () => {
    publish('bare-manifest', { license: undefined, main: 'index.js' });
    await submit('bare-manifest', 'MIT');
    const { license } = await awaitFacts('bare-manifest');

    expect(license).toMatchObject({
      ...{ upstream_declaration: 'none', upstream: null },
      effective: { source: 'submitted', text: 'MIT', status: 'approved' },
    });
  });
});

describe('the worker that collects upstream metadata', () => {
  it('queries the origin once for a repeated message', async () => {
    publish('twice');
    await submit('twice');
    await awaitFacts('twice');
    const before = origin.requests.filter((one) => one.path === path('twice')).length;

    expect(await collect('twice')).toEqual({ batchItemFailures: [] });

    expect(origin.requests.filter((one) => one.path === path('twice'))).toHaveLength(before);
  });

  it('returns only unreadable messages for another attempt', async () => {
    publish('sound');
    await submit('sound');
    await awaitFacts('sound');
    const { id } = functionOf(registry.stack.model, 'collect-facts');
    const good = JSON.stringify({ ecosystem: 'npm', name: 'sound', version: '1.0.0' });
    const Records = ['no JSON', good].map((body, at) => ({ messageId: String(at), body }));

    const answer = await registry.stack.invoke(id, { Records });

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  });

  it('handles the other messages when an origin returns an unreadable answer', async () => {
    publish('beside', { license: 'ISC' });
    await submit('beside');
    await registry.submit({ ecosystem: 'pypi', name: 'hostile', version: '1.0' });
    origin.serve('/pypi/simple/hostile/', { body: `<a>${'<li><b>'.repeat(200_000)}` });
    const { id } = functionOf(registry.stack.model, 'collect-facts');
    const ids = [
      { ecosystem: 'pypi', name: 'hostile', version: '1.0' },
      { ecosystem: 'npm', name: 'beside', version: '1.0.0' },
    ];
    const Records = ids.map((body, at) => ({ messageId: String(at), body: JSON.stringify(body) }));

    const answer = await registry.stack.invoke(id, { Records });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect((await awaitFacts('beside')).facts).toMatchObject({ found: 'yes', license: 'ISC' });
    expect((await awaitFacts('hostile')).facts).toMatchObject({
      found: 'unknown',
      reason: expect.stringContaining('nests more than 100 elements'),
    });
  });

  it('collects the metadata in the scheduled run when a message was lost', async () => {
    publish('lost', { license: 'ISC' });
    await submit('lost');
    const { facts: _, ...before } = await awaitFacts('lost');
    const refresh_at = '2026-01-01T00:00:00.000Z';
    await changeHead(registry, 'lost', () => ({ facts: null, refresh_at }));

    await registry.stack.invoke(functionOf(registry.stack.model, 'run-due-work').id, {});

    const { facts, ...after } = await awaitFacts('lost');
    expect(facts).toMatchObject({ found: 'yes', license: 'ISC' });
    expect(after.issues).toEqual(before.issues);
  });
});

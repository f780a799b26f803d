import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { until } from '../support/eventually.ts';
import { osvRecords } from '../support/osv-records.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const policy: ReviewPolicy = {
  rules: [
    {
      name: 'scanned-images',
      when: { ecosystems: ['docker'], scan: ['passed'], scanned_by: ['security', 'ann'] },
      then: 'approve',
    },
    { name: 'images', when: { ecosystems: ['docker'] }, then: 'hold' },
    {
      name: 'clean',
      when: { scan: ['passed'] },
      then: 'approve',
      reason: 'Nothing is known against it',
      expires_in_days: 90,
    },
    { name: 'vulnerable', when: { scan: ['failed'] }, then: 'reject' },
  ],
};

const ann = 'reviewing-token-of-32-characters-00';
const security = 'scanning-token-of-32-characters-0000';
const tokens = `ann:${ann},security/submit:${security}`;

let osv: OsvServer;
let registry: TestRegistry;
beforeAll(async () => {
  osv = await startOsvServer();
  registry = await TestRegistry.start({ osvUrl: osv.url, tokens, policy, events: true });
});
afterAll(async () => {
  await registry.close();
  await osv.close();
});

const submit = (name: string, ecosystem = 'npm') =>
  registry.submit({ ecosystem, name, version: '1.0.0' }, { token: ann });

/**
 * Resolves once a new version is decided. The stream of reviews is read in turns, so that all that came before the second of
 * two such versions has been worked on.
 */
const workedOn = async (name: string): Promise<void> => {
  await submit(`worked-on-${name}`);
  await until(async () => (await show(`worked-on-${name}`)).status === 'approved');
};

const show = async (name: string) => (await registry.get(packagePath(name))).body;

describe('rules', () => {
  it('decide by themselves on what is submitted, and say so', async () => {
    await submit('harmless');
    await until(async () => (await show('harmless')).status === 'approved');

    expect(await show('harmless')).toMatchObject({
      approved_by: 'policy:clean',
      reason: 'Nothing is known against it',
      expires_at: expect.any(String),
    });
    const { body } = await registry.get(packagePath('harmless', '/history'));
    expect(body.history[0]).toMatchObject({
      ...{ type: 'package.approved', by: 'policy:clean', rule: 'clean', token_label: null },
      evidence: { merged_scan: { status: 'passed' } },
    });
    expect(body.history[1]).toMatchObject({ type: 'package.submitted', rule: null });
  });

  it('are told apart from people in the statistics', async () => {
    await submit('by-hand', 'docker');
    await registry.post(packagePath('by-hand', '/approve'), {}, { token: ann });
    await submit('by-rule');
    await until(async () => (await show('by-rule')).status === 'approved');
    const today = async () => (await registry.get('/api/v1/statistics?days=1')).body.days[0];
    await until(async () => (await today()).approved >= 2 && (await today()).by_rule >= 1);

    const { approved, rejected, by_rule } = await today();
    expect(by_rule).toBe(approved + rejected - 1);
  });

  it('reject, and a person may see it otherwise, which stays', async () => {
    osv.know('npm/harmful/1.0.0', [osvRecords.log4shell]);
    await submit('harmful');
    await until(async () => (await show('harmful')).status === 'rejected');
    const approval = { reason: 'Only in tests', override: true };
    await registry.post(packagePath('harmful', '/approve'), approval, { token: ann });
    await registry.post(
      '/api/v1/security/scans/harmful',
      { tool: 'a-scanner', vulnerabilities: [] },
      { token: ann },
    );
    await workedOn('first');
    await workedOn('second');

    expect(await show('harmful')).toMatchObject({ status: 'approved', approved_by: 'ann' });
  });

  it('leave to a person what they hold, and say which one does', async () => {
    await submit('nginx', 'docker');
    const evidence = async () => (await registry.get(packagePath('nginx', '/evidence'))).body;
    await until(async () => (await evidence()).held_by !== null);

    expect(await evidence()).toMatchObject({ held_by: 'images', package: { status: 'pending' } });
  });
});

describe('a rule about scans', () => {
  const image = async (name: string) => {
    await submit(name, 'docker');
    await until(async () => (await evidence(name)).held_by === 'images');
  };
  const evidence = async (name: string) =>
    (await registry.get(packagePath(name, '/evidence'))).body;
  const upload = (name: string, token: string, query = '', report: object = clean) =>
    registry.post(`/api/v1/security/scans/${name}${query}`, report, { token });
  const clean = { tool: 'a-scanner', vulnerabilities: [] };
  const ofAnother = {
    SchemaVersion: 2,
    ArtifactName: 'another:2.0',
    ArtifactType: 'container_image',
    Results: [{ Target: 'another:2.0', Class: 'os-pkgs', Type: 'debian' }],
  };
  const preview = async (name: string) => {
    const rules = policy.rules.slice(0, 1);
    const { body } = await registry.post(
      '/api/v1/policy/preview?limit=1000',
      { rules },
      { token: ann },
    );
    return body.results.find((one: { name: string }) => one.name === name)?.decision;
  };

  it('does not believe the submitter, nor a forced upload, and believes who it names', async () => {
    await image('believed');

    await upload('believed', ann);
    const forced = await upload('believed', security, '?force=true', ofAnother);
    const before = [await preview('believed'), (await show('believed')).status];
    await upload('believed', security);
    await until(async () => (await show('believed')).status === 'approved');

    expect(forced.body.tools).toMatchObject([{ tool: 'trivy', forced: true }]);
    expect(before).toEqual([null, 'pending']);
    expect(await show('believed')).toMatchObject({ approved_by: 'policy:scanned-images' });
  });

  it('counts what the submitter found against it', async () => {
    await image('doubted');

    await upload('doubted', ann, '', {
      tool: 'a-scanner',
      vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }],
    });
    await upload('doubted', security);

    expect([await preview('doubted'), (await show('doubted')).status]).toEqual([null, 'pending']);
  });
});

describe('a preview', () => {
  const preview = (rules: readonly object[], query = '', token = ann) =>
    registry.post(`/api/v1/policy/preview${query}`, { rules }, { token });

  it('says what rules would decide, and decides nothing', async () => {
    for (const name of ['one', 'two', 'three']) await submit(name, 'docker');
    const rules = [
      { name: 'first', when: { names: ['o*'] }, then: 'approve' },
      { name: 'second', when: { names: ['*wo'] }, then: 'reject' },
    ];

    const { status, body } = await preview(rules, '?limit=1000');

    expect(status).toBe(200);
    expect(body.next).toBeNull();
    const byName = new Map(body.results.map((one: { name: string }) => [one.name, one]));
    const decided = { ecosystem: 'docker', version: '1.0.0', status: 'pending', waits_for: [] };
    expect(byName.get('one')).toEqual({
      ...{ name: 'one', ...decided, decision: 'approve', rule: 'first' },
    });
    expect(byName.get('two')).toMatchObject({ decision: 'reject', rule: 'second' });
    expect(byName.get('three')).toMatchObject({ decision: null, rule: null });
    expect((await show('one')).status).toBe('pending');
  });

  it('comes page by page', async () => {
    const all = await preview([], '?limit=1000');
    const names: string[] = [];
    let after = '0';
    while (after !== null) {
      const { body } = await preview([], `?limit=2&after=${after}`);
      names.push(...body.results.map(({ name }: { name: string }) => name));
      after = body.next;
    }

    expect(names).toEqual(all.body.results.map(({ name }: { name: string }) => name));
    expect(names.length).toBeGreaterThan(3);
  });

  it('says what is not known yet', async () => {
    osv.fail({ kind: 'body', body: 'no JSON' }, { about: 'unscannable' });
    await submit('unscannable');
    await until(async () => {
      const { status } = await registry.get('/api/v1/security/scans/unscannable');
      return status === 200;
    });
    const { body } = await preview(policy.rules, '?limit=1000');
    osv.recover();

    const found = body.results.find((one: { name: string }) => one.name === 'unscannable');
    // Its queue may have tried it so often by now that nothing is waited for any more.
    expect([['scan'], []]).toContainEqual(found.waits_for);
    expect(found.decision).toBeNull();
  });

  it('is refused without a token that may review, and with rules that are none', async () => {
    expect((await preview([], '', 'another')).status).toBe(403);
    const { status, body } = await preview([{ name: 'a', when: {}, then: 'maybe' }]);
    expect([status, body.errors[0].path]).toEqual([400, 'rules.0.then']);
    expect((await preview([], '?after=x')).body.errors[0]).toEqual({
      path: 'after',
      message: 'must be `next` of the page before',
    });
  });
});

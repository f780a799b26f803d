import { createHash } from 'node:crypto';
import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { eventually } from '../support/eventually.ts';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const makeToken = (label: string): string => `${label}-`.padEnd(43, 'x');

const ann = makeToken('ann');
const annsOther = makeToken('anns-other');
const annsAlike = makeToken('anns-alike');
const ben = makeToken('ben');
const nobody = makeToken('nobody');

const deciding = ['approve-package', 'reject-package', 'decide-packages'];
const submitting = ['submit-package', 'submit-packages'];

const watch = (model: StackModel, ids: readonly string[]): StackModel => {
  const settings = {
    [settingVariables.fourEyes]: 'true',
    [settingVariables.requireTokens]: 'true',
    [settingVariables.blockingIssues]: 'license_rejected',
  };
  const changed = ids
    .map((id) => functionOf(model, id))
    .map((one): [string, typeof one] => [
      one.id,
      { ...one, environment: { ...one.environment, ...settings } },
    ]);
  return { ...model, functions: { ...model.functions, ...Object.fromEntries(changed) } };
};

const fourEyed = (model: StackModel): StackModel => watch(model, [...deciding, ...submitting]);

let registry: TestRegistry;
let count = 0;

beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: [
      ...[`ann:${ann}`, `ann/review:${annsOther}`, `Ann/review:${annsAlike}`, `ben:${ben}`],
      nobody,
    ].join(),
    licenses: true,
    transform: fourEyed,
    policy: {
      rules: [
        { name: 'ours', when: { names: ['ours-*'] }, then: 'approve', reason: 'We wrote it' },
      ],
    },
  });
});
afterAll(() => registry.close());

const submitted = async (token: string, license = 'MIT'): Promise<string> => {
  count += 1;
  const name = `watched-${count}`;
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license }, { token });
  return name;
};
const decide = (name: string, what: string, token: string, body: object = {}) =>
  registry.post(packagePath(name, `/${what}`), body, { token });
const statusOf = async (name: string): Promise<string> =>
  (await registry.get(packagePath(name))).body.status;

describe('four eyes', () => {
  it.each([
    ['with the same token', ann],
    ['with another token of the same label', annsOther],
    ['with a token of a label that looks alike', annsAlike],
  ])('keep who submitted a version from approving it %s', async (_, token) => {
    const name = await submitted(ann);

    const { status, body } = await decide(name, 'approve', token);

    expect([status, body.code]).toEqual([403, 'four_eyes']);
    expect(body.detail).toContain('was submitted by ann, so someone else must approve it');
    expect(await statusOf(name)).toBe('pending');
  });

  it('are not closed by an override or another end', async () => {
    const name = await submitted(ann, 'AGPL-3.0-only');
    const reason = 'I say so';

    for (const body of [
      { override: true, reason },
      { approved_by: 'ann', override: true, reason },
      { expires_in_days: 1, override: true, reason },
    ]) {
      expect((await decide(name, 'approve', ann, body)).body.code).toBe('four_eyes');
    }
    expect(await statusOf(name)).toBe('pending');
  });

  it('let somebody else approve it, and not who submitted give that another end', async () => {
    const name = await submitted(ann);

    const approved = await decide(name, 'approve', ben, { expires_in_days: 30 });
    const renewed = await decide(name, 'approve', ann, { expires_in_days: 60 });

    expect(approved.status).toBe(200);
    expect(renewed.body.code).toBe('four_eyes');
  });

  it('let who submitted reject it, and not approve it again', async () => {
    const name = await submitted(ann);

    const rejected = await decide(name, 'reject', ann, { reason: 'a mistake' });
    const reversed = await decide(name, 'approve', ann, { reason: 'none after all' });

    expect(rejected.status).toBe(200);
    expect(reversed.body.code).toBe('four_eyes');
    expect(await statusOf(name)).toBe('rejected');
  });

  it.each(['approve', 'reject'])('need a label of whoever is to %s', async (what) => {
    const name = await submitted(ann);

    const { status, body } = await decide(name, what, nobody);

    expect([status, body.code]).toEqual([403, 'label_required']);
    expect(await statusOf(name)).toBe('pending');
  });

  it('are as many where many are decided at once', async () => {
    const [own, others] = [await submitted(ann), await submitted(ben)];
    const toDecision = (name: string) => ({
      ...{ ecosystem: 'npm', name, version: '1.0.0', action: 'approve' },
      ...{ override: true, reason: 'I say so' },
    });

    const { body } = await registry.post(
      '/api/v1/decisions',
      { decisions: [toDecision(own), toDecision(others)] },
      { token: ann },
    );

    expect(body.results).toMatchObject([
      { status: 403, problem: { code: 'four_eyes' } },
      { status: 200, package: { status: 'approved' } },
    ]);
  });

  it('need a label of whoever submits', async () => {
    const submission = { ecosystem: 'npm', name: 'submitted-by-nobody', version: '1.0.0' };
    const post = (path: string, body: object) => registry.post(path, body, { token: nobody });

    const one = await post('/api/v1/packages', submission);
    const many = await post('/api/v1/submissions', { packages: [submission] });

    expect([one.status, one.body.code]).toEqual([403, 'label_required']);
    expect(many.body.results).toMatchObject([{ problem: { code: 'label_required' } }]);
    expect((await registry.get(packagePath(submission.name))).status).toBe(404);
  });

  it('do not keep rules from deciding, which are no people', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'ours-a', version: '1.0.0' }, { token: ann });

    await eventually(async () => expect(await statusOf('ours-a')).toBe('approved'));
  });
});

describe('with four eyes, the name of a decision', () => {
  it.each([
    ['approve', { approved_by: 'ann' }],
    ['approve', { approved_by: 'Ben' }],
    ['approve', { approved_by: 'ben@example.com' }],
    ['reject', { rejected_by: 'ann', reason: 'no' }],
  ])('is the label of the token: %s is refused with %j', async (what, body) => {
    const name = await submitted(ann);

    const one = await decide(name, what, ben, body);
    const many = await registry.post(
      '/api/v1/decisions',
      { decisions: [{ ecosystem: 'npm', name, version: '1.0.0', action: what, ...body }] },
      { token: ben },
    );

    const [field = ''] = Object.keys(body);
    expect([one.status, one.body.code]).toEqual([400, 'validation_failed']);
    expect(one.body.errors).toMatchObject([{ path: field }]);
    expect(one.body.detail).toContain('must be "ben", the label of your token');
    expect(many.body.results).toMatchObject([
      { status: 400, problem: { errors: [{ path: field }] } },
    ]);
    expect(await statusOf(name)).toBe('pending');
  });

  it('may be given where it is the label', async () => {
    const name = await submitted(ann);

    const { status, body } = await decide(name, 'approve', ben, { approved_by: 'ben' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ approved_by: 'ben', approved_token_label: 'ben' });
  });
});

describe('a token that got its label later', () => {
  it('is known by its fingerprint', async () => {
    const name = 'submitted-by-nobody';
    // It was submitted before four eyes were demanded.
    const transform = (model: StackModel) => watch(model, deciding);
    const watched = await TestRegistry.start({ tokens: nobody, transform });
    await watched.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: nobody });
    const [secret] = Object.values(watched.stack.model.secrets);
    await watched.stack.secrets.put(secret?.id ?? '', `cleo:${nobody},ben:${ben}`);
    const path = packagePath(name, '/approve');

    const own = await watched.post(path, {}, { token: nobody });
    const others = await watched.post(path, {}, { token: ben });

    expect(own.body.code).toBe('four_eyes');
    expect(others.status).toBe(200);
    await watched.close();
  });
});

describe('with which token a version was submitted', () => {
  it('is never answered', async () => {
    const name = await submitted(ann);
    await decide(name, 'approve', ben);
    const fingerprint = createHash('sha256').update(ann).digest('hex').slice(0, 16);

    for (const path of [
      packagePath(name),
      packagePath(name, '/versions'),
      packagePath(name, '/history'),
      packagePath(name, '/evidence'),
      `/api/v1/packages?search=${name}`,
      '/api/v1/events',
    ]) {
      const { status, body } = await registry.get(path);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/submitter|fingerprint/);
      expect(JSON.stringify(body)).not.toContain(fingerprint);
    }
  });
});

import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Routes, routesByName } from '../../shared/api/all-routes.ts';
import { type OperationDocs, operationDocs } from '../../shared/api/openapi/operation-docs.ts';
import type { Route } from '../../shared/api/route.ts';
import { isProtected } from '../../shared/api/route-rules.ts';
import { databaseOf } from '../support/database.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const makeToken = (label: string): string => `${label}-`.padEnd(43, 'x');
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

const all = makeToken('all');
const plain = makeToken('plain');
const both = makeToken('both');
const submits = makeToken('submits');
const reviews = makeToken('reviews');
const neither = makeToken('neither');
const other = makeToken('other');
const relabelled = makeToken('relabelled');
const list = [
  `all:${all}`,
  plain,
  `both/submit+review:${both}`,
  `submits/submit:sha256:${digest(submits)}`,
  `reviews/review:${reviews}`,
  `neither/submit:${neither}`,
  `neither/review:${neither}`,
  `other/submit:${other}`,
  `submits/submit:${relabelled}`,
].join();

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: list });
});
afterAll(() => registry.close());

/** Everything that is stored. */
const readTables = async (): Promise<unknown> => {
  const names = Object.values(registry.stack.tables);
  const tables = await Promise.all(
    names.map((TableName) => databaseOf(registry).send(new ScanCommand({ TableName }))),
  );
  return tables.map(({ Items }) => Items);
};

const protectedOperations = (Object.keys(routesByName) as (keyof Routes)[])
  .map((name): [string, Route, OperationDocs] => [
    routesByName[name].id,
    routesByName[name],
    operationDocs[name],
  ])
  .filter(([, route]) => isProtected(route));

const makePath = ({ path }: Route, example: OperationDocs): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(example.path?.[name] ?? ''));

const sendUnreadable = async (route: Route, example: OperationDocs, token: string) => {
  const { method } = route;
  const body = route.body ? '{not json' : undefined;
  const query = route.body ? '' : '?nonsense=1';
  return registry.send(method, `${makePath(route, example)}${query}`, { token, body });
};

/** What tokens are for. */
const tokens: [string, readonly string[]][] = [
  [all, ['submit', 'review']],
  [plain, ['submit', 'review']],
  [both, ['submit', 'review']],
  [submits, ['submit']],
  [reviews, ['review']],
  [neither, []],
];

describe('what a token is for', () => {
  it('is asked of every protected operation', () => {
    const scopes = protectedOperations.map(([id, { scope }]) => [id, scope]);
    const expected = [
      ['show-caller', 'any'],
      ['submit-package', 'submit'],
      ['submit-packages', 'submit'],
      ['approve-package', 'review'],
      ['reject-package', 'review'],
      ['decide-packages', 'review'],
      ['claim-review', 'review'],
      ['comment-package', 'review'],
      ['submit-scan', 'submit'],
      ['dismiss-scan', 'review'],
      ['decide-held-recall', 'review'],
      ['accept-vulnerability', 'review'],
      ['withdraw-acceptance', 'review'],
      ['preview-policy', 'review'],
      ['run-policy', 'review'],
      ['set-license', 'review'],
      ['freeze-registry', 'review'],
      ['lift-freeze', 'review'],
      ['record-snapshot', 'submit'],
      ['list-projects', 'any'],
      ['show-project', 'any'],
      ['remove-project', 'submit'],
      ['list-package-projects', 'any'],
      ['list-project-uses', 'any'],
      ['list-vulnerability-projects', 'any'],
      ['replace-owner', 'review'],
    ];
    // Routes have no order: it depends on the tool that loads their files.
    expect(scopes.toSorted()).toEqual(expected.toSorted());
  });

  it.each(protectedOperations)('is looked at before the body: %s', async (_, route, example) => {
    const { scope, otherScope, ownScope } = route;
    const enough: readonly (string | undefined)[] = [scope, otherScope, ownScope];
    for (const [token, scopes] of tokens) {
      const isEnough = scope === 'any' || scopes.some((one) => enough.includes(one));

      const { status, body } = await sendUnreadable(route, example, token);

      const refused = { status: 403, code: 'scope_missing' };
      const letIn = { status: 400, code: route.body ? 'malformed_body' : 'validation_failed' };
      expect({ status, code: body.code }).toEqual(isEnough ? letIn : refused);
    }
  });

  it('is said where it is something else', async () => {
    const refused = await registry.post(packagePath('x', '/approve'), {}, { token: submits });
    const submitted = await registry.post('/api/v1/packages', {}, { token: reviews });
    const none = await registry.post('/api/v1/packages', {}, { token: neither });

    expect(refused.body.detail).toBe(
      'This needs a token with the scope review, and the token of submits has submit.',
    );
    expect(submitted.body.detail).toBe(
      'This needs a token with the scope submit, and the token of reviews has review.',
    );
    expect(none.body.detail).toContain('the token of neither has none.');
  });

  it('lets nothing be changed where it is something else, nor a first answer be read again', async () => {
    const name = 'untouched';
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: all });
    const before = await readTables();

    const headers = { 'Idempotency-Key': 'one' };
    for (const [token, path, body] of [
      [submits, packagePath(name, '/approve'), {}],
      [submits, packagePath(name, '/reject'), { reason: 'not mine' }],
      [reviews, '/api/v1/packages', { ecosystem: 'npm', name: 'new', version: '1.0.0' }],
      [reviews, `/api/v1/security/scans/${name}`, { tool: 'a-scanner', vulnerabilities: [] }],
    ] as const) {
      const { body: problem } = await registry.post(path, body, { token });
      expect(problem.code).toBe('scope_missing');
    }
    expect(await readTables()).toEqual(before);
    await registry.post(packagePath(name, '/approve'), {}, { token: both, headers });
    const replayed = await registry.post(
      packagePath(name, '/approve'),
      {},
      { token: submits, headers },
    );
    expect(replayed.body.code).toBe('scope_missing');
  });

  it('is named in the log with the label', async () => {
    const path = packagePath('logged', '/approve');

    await registry.post(path, {}, { token: submits });

    await expect
      .poll(() => registry.logs.find((line) => line['path'] === path))
      .toMatchObject({ status: 403, code: 'scope_missing', token_label: 'submits' });
  });
});

describe('GET /whoami', () => {
  it.each<[string, string | null, string[]]>([
    [all, 'all', ['submit', 'review']],
    [plain, null, ['submit', 'review']],
    [submits, 'submits', ['submit']],
    [reviews, 'reviews', ['review']],
    [neither, 'neither', []],
  ])('tells %s who it is', async (token, label, scopes) => {
    const { status, body } = await registry.get('/api/v1/whoami', { token });

    expect(status).toBe(200);
    const fingerprint = digest(token).slice(0, 16);
    expect(body).toEqual({ label, scopes, fingerprint, issuer: null, expires_at: null });
  });

  it('needs a token', async () => {
    expect((await registry.get('/api/v1/whoami')).status).toBe(401);
    expect((await registry.get('/api/v1/whoami', { token: 'wrong' })).status).toBe(403);
  });

  it('is for everyone and everything while authentication is off', async () => {
    const open = await TestRegistry.start({ tokens: ',' });

    const { body } = await open.get('/api/v1/whoami', { token: 'whatever' });

    expect(body).toEqual({
      ...{ label: null, scopes: ['submit', 'review'], fingerprint: null },
      ...{ issuer: null, expires_at: null },
    });
    await open.close();
  });
});

describe('several mistakes', () => {
  it('are taken back at once by who made them, who approves nothing so', async () => {
    const versions = ['own', 'wanted', 'foreign'].map((name) => ({
      ...{ ecosystem: 'npm', version: '1.0.0' },
      name: `several-${name}`,
    }));
    for (const [at, version] of versions.entries()) {
      await registry.submit(version, { token: at < 2 ? submits : all });
    }
    const [own, wanted, foreign] = versions;
    const decisions = [
      { ...own, action: 'reject', reason: 'a mistake' },
      { ...wanted, action: 'approve' },
      { ...foreign, action: 'reject', reason: 'not mine' },
    ];

    const { body } = await registry.post('/api/v1/decisions', { decisions }, { token: submits });

    expect(body.results).toMatchObject([
      { status: 200, package: { status: 'rejected' } },
      { status: 403, problem: { code: 'scope_missing' } },
      { status: 403, problem: { code: 'scope_missing' } },
    ]);
  });
});

describe('a submission that was a mistake', () => {
  let count = 0;
  const submitted = async (token: string): Promise<string> => {
    count += 1;
    const name = `mistake-${count}`;
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token });
    return name;
  };
  const reject = (name: string, token: string, body: object = { reason: 'a mistake' }) =>
    registry.post(packagePath(name, '/reject'), body, { token });

  it.each([
    ['the same token', submits],
    ['another token of the same label', relabelled],
  ])('is taken back with %s, with a reason', async (_, token) => {
    const name = await submitted(submits);

    const { status, body } = await reject(name, token);

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'rejected', rejected_by: 'submits', reason: 'a mistake' });
    const { history } = (await registry.get(packagePath(name, '/history'))).body;
    expect(history[0]).toMatchObject({ type: 'package.rejected', token_label: 'submits' });
  });

  it('is not taken back without a reason', async () => {
    const name = await submitted(submits);

    const { status, body } = await reject(name, submits, {});

    expect([status, body.code]).toEqual([400, 'reason_required']);
    expect((await registry.get(packagePath(name))).body.status).toBe('pending');
  });

  it.each([
    ['somebody else submitted', all],
    ['a token of another label submitted', other],
    ['a token without a label submitted', plain],
  ])('is none where %s', async (_, token) => {
    const name = await submitted(token);

    const { status, body } = await reject(name, submits);

    expect([status, body.code]).toEqual([403, 'scope_missing']);
    expect(body.detail).toContain(`npm:${name}@1.0.0 cannot be rejected with this token`);
    expect((await registry.get(packagePath(name))).body.status).toBe('pending');
  });

  it.each(['approve', 'reject'])('is none any more after somebody had it %s', async (what) => {
    const name = await submitted(submits);
    await registry.post(packagePath(name, `/${what}`), {}, { token: reviews });
    const before = (await registry.get(packagePath(name))).body;

    const { status, body } = await reject(name, submits);

    expect([status, body.code]).toEqual([403, 'scope_missing']);
    expect((await registry.get(packagePath(name))).body).toEqual(before);
  });

  it('can be rejected by reviewers as ever, without a reason', async () => {
    const name = await submitted(submits);

    expect((await reject(name, reviews, {})).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestIssuer } from '../support/issuer.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  jobAudience as audience,
  clientId,
  trustIssuers as trust,
} from '../support/trusted-issuers.ts';

const listed = 'listed-token-of-more-than-thirty-two-characters';
const approve = packagePath('nobody', '/approve');

const ana = { aud: clientId, sub: 'ana-1', email: 'ana@example.com', groups: ['security'] };

describe('an ID token', () => {
  let people: TestIssuer;
  let jobs: TestIssuer;
  let registry: TestRegistry;

  beforeAll(async () => {
    [people, jobs] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    const issuers = trust(people.url, jobs.url);
    registry = await TestRegistry.start({ tokens: `ci/submit:${listed}`, issuers, events: true });
  });
  afterAll(() => Promise.all([registry?.close(), people?.close(), jobs?.close()]));

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  const whoami = async (token: string) =>
    (await registry.get('/api/v1/whoami', { headers: bearer(token) })).body;

  it('shows its holder with issuer, label, scopes and expiry', async () => {
    const expires = Math.floor(Date.now() / 1000) + 120;

    const body = await whoami(await people.sign({ ...ana, exp: expires }));

    expect(body).toEqual({
      ...{ label: 'ana@example.com', scopes: ['submit', 'review'], issuer: people.url },
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      expires_at: new Date(expires * 1000).toISOString(),
    });
  });

  it('keeps the fingerprint when it is renewed, so that a retry is a retry', async () => {
    const headers = { 'Idempotency-Key': 'renewed' };
    const submission = { ecosystem: 'npm', name: 'renewed', version: '1.0.0' };
    const submit = async (claims: object) =>
      registry.submit(submission, {
        headers: { ...headers, ...bearer(await people.sign({ ...ana, ...claims })) },
      });

    const first = await submit({});
    const second = await submit({ jti: 'other', iat: Math.floor(Date.now() / 1000) - 30 });

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('gives the label of a CI job by its repository, and the scope submit alone', async () => {
    const claims = { aud: audience, repository: 'acme/shop', repository_id: '7' };

    const body = await whoami(await jobs.sign({ ...claims, ref: 'refs/heads/main' }));

    expect(body).toMatchObject({ label: 'ci:acme/shop', scopes: ['submit'], issuer: jobs.url });
  });

  it.each<[string, object, string]>([
    ['of a fork', { repository_id: '8', ref: 'refs/heads/main' }, 'No rule .* repository_id, ref'],
    ['of another branch', { repository_id: '7', ref: 'refs/heads/x' }, 'No rule'],
    ['without the claim', { repository_id: '7' }, 'The token does not have ref\\.'],
  ])('is refused for a CI job %s', async (_, claims, reason) => {
    const token = await jobs.sign({ aud: audience, repository: 'acme/shop', ...claims });

    const { status, body } = await registry.post(approve, {}, { headers: bearer(token) });

    expect([status, body.code]).toEqual([403, 'holder_refused']);
    expect(body.detail).toMatch(new RegExp(reason));
  });

  it.each([
    ['registry'],
    ['policy'],
    ['policy:fresh'],
    ['ci'],
    ['с\u0456'],
    ['ci:acme/shop'],
    [''],
  ])('is refused with the label %j', async (email) => {
    const token = await people.sign({ ...ana, email });

    const { status, body } = await registry.post(approve, {}, { headers: bearer(token) });

    expect([status, body.code]).toEqual([403, 'holder_refused']);
  });

  it('is refused with an address that the issuer did not verify', async () => {
    const token = await people.sign({ ...ana, email_verified: false });

    expect((await registry.get('/api/v1/whoami', { headers: bearer(token) })).status).toBe(403);
  });

  it('gives way to a token in X-API-Key, valid or not', async () => {
    const headers = bearer(await people.sign(ana));

    const valid = await registry.get('/api/v1/whoami', { headers, token: listed });
    const wrong = await registry.get('/api/v1/whoami', { headers, token: 'wrong' });

    expect(valid.body).toMatchObject({ label: 'ci', issuer: null, expires_at: null });
    expect(wrong.status).toBe(403);
  });

  it.each<[string, string, RegExp]>([
    ['no JWT', 'Bearer x', /^The ID token is invalid\. It is not an ID token of an issuer/],
    ['Basic', 'Basic eDp5', /Send one Authorization header, as Bearer/],
    ['blank', '', /Send one Authorization header/],
  ])('answers 403 to an Authorization header that is %s', async (_, Authorization, detail) => {
    const { status, body } = await registry.post(approve, {}, { headers: { Authorization } });

    expect([status, body.code]).toEqual([403, 'invalid_token']);
    expect(body.detail).toMatch(detail);
  });

  it('is named by the answer to a request with neither header', async () => {
    const { status, body } = await registry.post(approve, {});

    expect(status).toBe(401);
    expect(body.detail).toMatch(
      /API key is missing.*X-API-Key header\. Or sign in with an account/,
    );
  });

  it('decides under its own label alone', async () => {
    const headers = bearer(await people.sign(ana));
    await registry.submit({ ecosystem: 'npm', name: 'own', version: '1.0.0' }, { token: listed });
    const path = packagePath('own', '/approve');

    const other = await registry.post(path, { approved_by: 'bo@example.com' }, { headers });
    const own = await registry.post(path, { approved_by: 'ana@example.com' }, { headers });

    expect([other.status, other.body.code]).toEqual([400, 'validation_failed']);
    expect(other.body.detail).toMatch(/"ana@example\.com", the label of your account/);
    expect(own.body).toMatchObject({
      ...{ approved_by: 'ana@example.com', approved_token_label: 'ana@example.com' },
      submitted_token_label: 'ci',
    });
  });

  it('submits for somebody else, and shows for whom', async () => {
    const submission = { ecosystem: 'npm', name: 'for-bo', version: '1.0.0' };
    const headers = bearer(await people.sign(ana));

    const { body } = await registry.submit(
      { ...submission, submitted_by: 'bo@example.com' },
      { headers },
    );

    expect(body).toMatchObject({
      submitted_by: 'bo@example.com',
      submitted_token_label: 'ana@example.com',
    });
  });

  it('never reaches a log, and its label does', async () => {
    const token = await people.sign(ana);
    await registry.post(approve, {}, { headers: bearer(token) });
    await registry.post(approve, {}, { headers: bearer(`${token}x`) });

    await expect
      .poll(() => registry.logs.filter(({ path }) => path === approve).slice(-2))
      .toMatchObject([
        { auth_present: 'yes', status: 404, token_label: 'ana@example.com' },
        { auth_present: 'yes', status: 403, code: 'invalid_token' },
      ]);
    const parts = token.split('.').filter((part) => part.length > 20);
    for (const part of parts) expect(JSON.stringify(registry.logs)).not.toContain(part);
  });

  it('costs no request to its issuer on a warm function', async () => {
    const token = await people.sign(ana);
    await whoami(token);
    const before = people.requests.length;

    for (let at = 0; at < 5; at += 1) await whoami(token);

    expect(people.requests).toHaveLength(before);
  });

  it('is refused while operators have frozen the token list', async () => {
    const frozen = await TestRegistry.start({
      tokens: `frozen:sha256:${'0'.repeat(64)}`,
      issuers: trust(people.url, jobs.url),
    });

    const { status, body } = await frozen.get('/api/v1/whoami', {
      headers: bearer(await people.sign(ana)),
    });

    expect([status, body.code]).toEqual([403, 'holder_refused']);
    expect(body.detail).toMatch(/stopped all writes: the token list is frozen/);
    await frozen.close();
  });

  it('is refused while the keys of its issuer cannot be loaded', async () => {
    const issuer = await TestIssuer.start();
    issuer.answers['/keys'] = 503;
    const own = await TestRegistry.start({ tokens: ',', issuers: trust(issuer.url, jobs.url) });

    const { status, body, headers } = await own.get('/api/v1/whoami', {
      headers: bearer(await issuer.sign(ana)),
    });

    expect([status, body.code]).toEqual([500, 'issuer_unavailable']);
    expect(headers.get('retry-after')).toBe('10');
    await Promise.all([own.close(), issuer.close()]);
  });

  it('is shown by the root document', async () => {
    const { body } = await registry.get('/');

    expect(body).toMatchObject({
      authentication: 'enabled',
      sign_in: { issuer: people.url, client_id: clientId },
      job_audience: audience,
    });
  });
});

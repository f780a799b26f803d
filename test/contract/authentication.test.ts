import { createHash } from 'node:crypto';
import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const plain = 'plain-token-of-more-than-thirty-two-characters';
const labelled = 'labelled-token-of-more-than-thirty-two-chars';
const hashed = 'hashed-token-of-more-than-thirty-two-characters';
const digest = createHash('sha256').update(hashed).digest('hex');
const list = `${plain}, ci:${labelled} ,sha256:${digest}`;

const approve = packagePath('nobody', '/approve');

describe('a protected endpoint', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: list });
  });
  afterAll(() => registry.close());

  it.each([
    ['POST /packages', '/api/v1/packages'],
    ['approve', approve],
    ['reject', packagePath('nobody', '/reject')],
  ])('answers 401 without a token: %s', async (_, path) => {
    const { status, body } = await registry.post(path, {});

    expect(status).toBe(401);
    expect(body.detail).toMatch(/API key is missing.*X-API-Key header/s);
    expect(body.detail).not.toContain('Authorization');
  });

  // With accounts, that header is for ID tokens.
  it.skipIf(process.env['TRUST_ISSUERS'])(
    'answers a token in another header with the right header',
    async () => {
      const headers = { Authorization: `Bearer ${plain}` };

      const { status, body } = await registry.post(approve, {}, { headers });

      expect(status).toBe(401);
      expect(body.detail).toMatch(/X-API-Key header\. The Authorization header .* is not used\.$/);
    },
  );

  it.each([plain, labelled, hashed])('accepts the token %s', async (token) => {
    expect((await registry.post(approve, {}, { token })).status).toBe(404);
  });

  it.each([
    ['blank', ''],
    ['wrong', 'wrong'],
    ['cut', plain.slice(1)],
    ['the whole list', list],
    ['a digest', digest],
    ['a labelled entry', `ci:${labelled}`],
    ['two tokens', `${plain},${labelled}`],
    ['of 9 kB', 'x'.repeat(9000)],
    ['with a Latin-1 letter', 'tökén'],
  ])('returns the same 403 for a token that is %s', async (_, token) => {
    const { status, body } = await registry.post(approve, {}, { token });

    expect(status).toBe(403);
    expect(body.detail).toBe('The API key is invalid: it matches no accepted token.');
  });

  it.each<[string, string[], number]>([
    ['lower case', ['x-api-key', plain], 404],
    ['upper case', ['X-API-KEY', plain], 404],
    ['outer blanks', ['X-API-Key', `  ${plain}  `], 404],
    ['sent twice', ['X-API-Key', plain, 'X-API-Key', plain], 403],
    ['sent twice in different case', ['X-API-Key', plain, 'x-api-key', 'x'], 403],
    ['empty', ['X-API-Key', ''], 403],
  ])('reads the header in %s', async (_, headers, status) => {
    expect(await registry.sendRaw('POST', approve, headers)).toBe(status);
  });

  it('checks the token before it reads the body', async () => {
    const { status } = await registry.post('/api/v1/packages', '{not json');

    expect(status).toBe(401);
  });

  it('leaves every GET public', async () => {
    for (const path of ['/', '/api/v1/packages', packagePath('nobody')]) {
      expect([200, 404]).toContain((await registry.get(path)).status);
    }
  });

  it('records the label of the token as the submitter', async () => {
    const submission = { ecosystem: 'npm', name: 'labelled', version: '1.0.0' };

    const { body } = await registry.submit(submission, { token: labelled });

    expect(body.submitted_by).toBe('ci');
  });
});

describe('an empty token list', () => {
  it('accepts every caller', async () => {
    const registry = await TestRegistry.start({ tokens: ',' });

    const { status } = await registry.post(approve, {}, { token: 'whatever' });

    expect(status).toBe(404);
    await registry.close();
  });
});

describe('an empty token list when tokens are required', () => {
  const requiring = (model: StackModel): StackModel => ({
    ...model,
    functions: Object.fromEntries(
      Object.entries(model.functions).map(([id, lambda]) => [
        id,
        { ...lambda, environment: { ...lambda.environment, REQUIRE_TOKENS: 'true' } },
      ]),
    ),
  });

  it('refuses every caller, and reports that authentication is enabled', async () => {
    const registry = await TestRegistry.start({ tokens: ',', transform: requiring });

    const missing = await registry.post(approve, {});
    const wrong = await registry.post(approve, {}, { token: plain });
    const root = await registry.get('/');

    expect([missing.status, wrong.status]).toEqual([401, 403]);
    expect(root.body.authentication).toBe('enabled');
    await registry.close();
  });
});

describe('the log', () => {
  it('warns that authentication is off, and lists malformed entries by their positions', async () => {
    const open = await TestRegistry.start({ tokens: ',' });
    const flawed = await TestRegistry.start({ tokens: `${plain},two words,short` });

    await open.get('/');
    await flawed.get('/');

    await expect
      .poll(() => [...open.logs, ...flawed.logs].filter(({ event }) => event !== 'request'))
      .toEqual([
        { level: 'warn', event: 'authentication_off' },
        { level: 'warn', event: 'token_entries_malformed', positions: [2] },
        { level: 'warn', event: 'tokens_short', positions: [3] },
      ]);
    await Promise.all([open.close(), flawed.close()]);
  });
});

describe('an unreadable token list', () => {
  it.each<[string, string]>([
    ['JSON with a number that looks like a token', '{"engine":"postgres","port":5432,"x":"y"}'],
    ['blank', ' '],
    ['a malformed digest', 'sha256:1234'],
  ])('refuses every caller when the list is %s', async (_, tokens) => {
    const registry = await TestRegistry.start({ tokens });

    const { status, body, headers } = await registry.post(approve, {}, { token: '5432' });
    const root = await registry.get('/');

    expect(status).toBe(500);
    expect(body.code).toBe('tokens_unavailable');
    expect(headers.get('retry-after')).toBe('10');
    expect(root.body.authentication).toBe('enabled');
    await registry.close();
  });
});

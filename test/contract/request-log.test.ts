import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestToken } from '../../shared/domain/tokens/token-list.ts';
import { until } from '../support/eventually.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'secret-token-of-more-than-thirty-two-characters';

const approve = packagePath('x', '/approve');
const noPackage = { status: 404, code: 'package_not_found' };
const byToken = {
  token_label: 'ci',
  token_fingerprint: digestToken(token).toString('hex').slice(0, 16),
};
const wrong = { status: 400, code: 'validation_failed' };

describe('the request log', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: `ci:${token}` });
  });
  afterAll(() => registry.close());

  const findLine = (requestId: string) =>
    registry.logs.find(
      (candidate) => candidate['event'] === 'request' && candidate['request_id'] === requestId,
    );

  it.each<[string, string, string | undefined, object]>([
    ['GET', '/api/v1/packages', undefined, { status: 200, auth_present: 'no' }],
    ['GET', '/api/v1/packages', token, { status: 200, auth_present: 'yes' }],
    ['GET', packagePath('@a/b'), undefined, { ...noPackage, auth_present: 'no' }],
    ['POST', approve, undefined, { status: 401, code: 'missing_token', auth_present: 'no' }],
    ['POST', approve, '', { status: 403, code: 'invalid_token', auth_present: 'yes' }],
    ['POST', approve, 'wrong', { status: 403, code: 'invalid_token', auth_present: 'yes' }],
    ['POST', approve, token, { ...noPackage, auth_present: 'yes', ...byToken }],
    ['POST', '/api/v1/packages', token, { ...wrong, auth_present: 'yes', ...byToken }],
  ])('has one line for %s %s with the token %s', async (method, path, sent, logged) => {
    const { headers } = await registry.send(method, path, { token: sent });

    const requestId = headers.get('x-amzn-requestid') ?? '';
    // The line comes by a pipe, and may be later than the answer.
    await until(() => findLine(requestId) !== undefined);
    expect(findLine(requestId)).toEqual({
      level: 'info',
      event: 'request',
      method,
      path,
      duration_s: expect.any(Number),
      request_id: requestId,
      ...logged,
    });
    expect(registry.logs.filter((line) => line['request_id'] === requestId)).toHaveLength(1);
  });

  it("has the client's address where the gateway logs, which logs every request in AWS", async () => {
    const { headers } = await registry.get('/nowhere', { token });

    const id = headers.get('x-amzn-requestid');
    await expect
      .poll(() => registry.logs.filter((line) => line['request_id'] === id))
      .toEqual([
        {
          level: 'info',
          event: 'access',
          method: 'GET',
          path: '/nowhere',
          status: '404',
          duration_ms: expect.stringMatching(/^\d+$/),
          request_id: id,
          client: '127.0.0.1',
          refused_as: 'MISSING_AUTHENTICATION_TOKEN',
          integration_status: '-',
        },
      ]);
  });

  it('never holds a token or a body', async () => {
    await registry.post('/api/v1/packages', '{"name": "private-words', { token });
    await registry.post('/api/v1/packages', { name: 'private-words', version: 1 }, { token });
    await registry.post('/api/v1/packages', { name: 'private-words' }, { token: 'wrong-secret' });

    const everything = JSON.stringify(registry.logs);

    expect(everything).not.toMatch(/private-words|secret-token|wrong-secret/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'secret-token-of-more-than-thirty-two-characters';

describe('the request log', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: `ci:${token}` });
  });
  afterAll(() => registry.close());

  const lineOf = async (requestId: string) => {
    // The line reaches us by a pipe, which may be later than the answer.
    for (let tries = 0; tries < 50; tries += 1) {
      const line = registry.logs.find(
        (candidate) => candidate['event'] === 'request' && candidate['request_id'] === requestId,
      );
      if (line) return line;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  };

  it.each<[string, string, string | undefined, number, string, string | undefined]>([
    ['GET', '/api/v1/packages', undefined, 200, 'no', undefined],
    ['GET', '/api/v1/packages', token, 200, 'yes', undefined],
    ['GET', packagePath('@a/b'), undefined, 404, 'no', undefined],
    ['POST', packagePath('x', '/approve'), undefined, 401, 'no', undefined],
    ['POST', packagePath('x', '/approve'), '', 403, 'yes', undefined],
    ['POST', packagePath('x', '/approve'), 'wrong', 403, 'yes', undefined],
    ['POST', packagePath('x', '/approve'), token, 404, 'yes', 'ci'],
    ['POST', '/api/v1/packages', token, 400, 'yes', 'ci'],
  ])(
    'has one line for %s %s with the token %s',
    async (method, path, sent, status, present, label) => {
      const { headers } = await registry.send(method, path, { token: sent });

      const requestId = headers.get('x-amzn-requestid') ?? '';
      expect(await lineOf(requestId)).toEqual({
        level: 'info',
        event: 'request',
        method,
        path,
        auth_present: present,
        status,
        duration_s: expect.any(Number),
        request_id: requestId,
        ...(label && { token_label: label }),
      });
      expect(registry.logs.filter((line) => line['request_id'] === requestId)).toHaveLength(1);
    },
  );

  it('never holds a token or a body', async () => {
    await registry.post('/api/v1/packages', '{"name": "private-words', { token });
    await registry.post('/api/v1/packages', { name: 'private-words', version: 1 }, { token });
    await registry.post('/api/v1/packages', { name: 'private-words' }, { token: 'wrong-secret' });

    const everything = JSON.stringify(registry.logs);

    expect(everything).not.toMatch(/private-words|secret-token|wrong-secret/);
  });
});

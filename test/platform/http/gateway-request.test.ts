import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { makeSameUrls, makeVersionUrl } from '../../../shared/platform/http/gateway-request.ts';

/** A request as API Gateway describes it. `path` lacks the stage, but has a custom domain's base path. */
const request = (outside: string, resource: string): APIGatewayProxyEvent =>
  ({
    resource,
    path: outside,
    headers: { Host: 'registry.example.com', 'X-Forwarded-Proto': 'https' },
    multiValueHeaders: {
      Host: ['registry.example.com'],
      'X-Forwarded-Proto': ['https'],
    },
    queryStringParameters: { search: 'a b' },
    requestContext: { path: outside, domainName: 'other.example.com' },
  }) as unknown as APIGatewayProxyEvent;

describe('absolute URLs', () => {
  it.each([
    ['a stage', '/prod/api/v1/packages', '/api/v1/packages', '/prod'],
    ['a custom domain', '/api/v1/packages', '/api/v1/packages', ''],
    ['a base path', '/registry/v/api/v1/packages', '/api/v1/packages', '/registry/v'],
    ['an encoded name', '/prod/api/v1/packages/%40a%2Fb', '/api/v1/packages/{name}', '/prod'],
  ])('keep what stands before the path: %s', (_, outside, resource, base) => {
    const version = { ecosystem: 'npm', name: '@a/b', version: '1.0.0+x' } as const;

    const url = makeVersionUrl(request(outside, resource), version);

    expect(url).toBe(
      `https://registry.example.com${base}/api/v1/packages/%40a%2Fb?ecosystem=npm&version=1.0.0%2Bx`,
    );
  });

  it('of the request itself keep its stage and its parameters', () => {
    const urls = makeSameUrls(request('/prod/api/v1/packages', '/api/v1/packages'), [
      { limit: 2, offset: 5 },
      { limit: 2, offset: 1 },
    ]);

    expect(urls).toEqual([
      'https://registry.example.com/prod/api/v1/packages?search=a+b&limit=2&offset=5',
      'https://registry.example.com/prod/api/v1/packages?search=a+b&limit=2&offset=1',
    ]);
  });
});

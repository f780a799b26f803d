import { describe, expect, it } from 'vitest';
import { createRouter } from '../../../infra/local/gateway/router.ts';
import { createThrottling } from '../../../infra/local/gateway/throttle.ts';
import type { Route } from '../../../infra/local/template/model.ts';

const route = (method: string, path: string): Route => ({
  id: `${method} ${path}`,
  method,
  path,
  functionId: 'F',
  permitted: true,
});

const router = createRouter([
  route('GET', '/'),
  route('GET', '/packages'),
  route('POST', '/packages'),
  route('GET', '/packages/{name}'),
  route('GET', '/packages/{name}/versions'),
  route('GET', '/packages/recent'),
  route('ANY', '/any'),
]);

describe('a request', () => {
  it.each<[string, string, string | undefined, Record<string, string> | null]>([
    ['GET', '/', 'GET /', null],
    ['GET', '/packages', 'GET /packages', null],
    ['POST', '/packages', 'POST /packages', null],
    ['GET', '/packages/', 'GET /packages', null],
    ['GET', '/packages/a', 'GET /packages/{name}', { name: 'a' }],
    ['GET', '/packages/a/', 'GET /packages/{name}', { name: 'a' }],
    ['GET', '/packages/%40a%2Fb', 'GET /packages/{name}', { name: '%40a%2Fb' }],
    ['GET', '/packages/a+b', 'GET /packages/{name}', { name: 'a+b' }],
    ['GET', '/packages/recent', 'GET /packages/recent', null],
    ['GET', '/packages/recent/versions', 'GET /packages/{name}/versions', { name: 'recent' }],
    ['PATCH', '/any', 'ANY /any', null],
    ['DELETE', '/packages', undefined, null],
    ['HEAD', '/packages', undefined, null],
    ['GET', '/packages/a/b', undefined, null],
    ['GET', '/packages//versions', undefined, null],
    ['GET', '/packages//', undefined, null],
    ['GET', '/Packages', undefined, null],
    ['GET', '/nothing', undefined, null],
  ])('%s %s goes to %s', (method, path, id, pathParameters) => {
    const match = router(method, path);

    expect(match?.route.id).toBe(id);
    expect(match?.pathParameters ?? null).toEqual(pathParameters);
  });
});

describe('a throttle', () => {
  const limited: Route = { ...route('GET', '/'), throttle: { ratePerSecond: 2, burst: 3 } };

  it('lets a burst through and then its rate', () => {
    let now = 0;
    const mayPass = createThrottling(() => now);
    const pass = (times: number): boolean[] =>
      Array.from({ length: times }, () => mayPass(limited));

    expect(pass(4)).toEqual([true, true, true, false]);
    now = 500;
    expect(pass(2)).toEqual([true, false]);
    now = 60_000;
    expect(pass(4)).toEqual([true, true, true, false]);
  });

  it('counts each method for itself, and only methods that have one', () => {
    const mayPass = createThrottling(() => 0);
    const other = { ...limited, id: 'other', throttle: { ratePerSecond: 1, burst: 1 } };

    expect([mayPass(other), mayPass(other), mayPass(limited)]).toEqual([true, false, true]);
    expect(mayPass(route('GET', '/free'))).toBe(true);
  });
});

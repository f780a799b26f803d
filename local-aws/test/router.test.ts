import { describe, expect, it } from 'vitest';
import { createRouter } from '../src/gateway/router.ts';
import { createThrottling } from '../src/gateway/throttle.ts';
import type { Route } from '../src/template/model.ts';

const route = (method: string, path: string): Route => ({
  id: `${method} ${path}`,
  method,
  path,
  functionId: 'F',
  permitted: true,
});

const router = createRouter([
  route('GET', '/'),
  route('GET', '/orders'),
  route('POST', '/orders'),
  route('GET', '/orders/{name}'),
  route('GET', '/orders/{name}/lines'),
  route('GET', '/orders/recent'),
  route('ANY', '/any'),
]);

describe('a request', () => {
  it.each<[string, string, string | undefined, Record<string, string> | null]>([
    ['GET', '/', 'GET /', null],
    ['GET', '/orders', 'GET /orders', null],
    ['POST', '/orders', 'POST /orders', null],
    ['GET', '/orders/', 'GET /orders', null],
    ['GET', '/orders/a', 'GET /orders/{name}', { name: 'a' }],
    ['GET', '/orders/a/', 'GET /orders/{name}', { name: 'a' }],
    ['GET', '/orders/%40a%2Fb', 'GET /orders/{name}', { name: '%40a%2Fb' }],
    ['GET', '/orders/a+b', 'GET /orders/{name}', { name: 'a+b' }],
    ['GET', '/orders/recent', 'GET /orders/recent', null],
    ['GET', '/orders/recent/lines', 'GET /orders/{name}/lines', { name: 'recent' }],
    ['PATCH', '/any', 'ANY /any', null],
    ['DELETE', '/orders', undefined, null],
    ['HEAD', '/orders', undefined, null],
    ['GET', '/orders/a/b', undefined, null],
    ['GET', '/orders//lines', undefined, null],
    ['GET', '/orders//', undefined, null],
    ['GET', '/Orders', undefined, null],
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

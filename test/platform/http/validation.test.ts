import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Route } from '../../../shared/api/route.ts';
import * as routes from '../../../shared/api/routes.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { validation } from '../../../shared/platform/http/validation.ts';

const route: Route = { ...routes.listPackages, query: z.strictObject({ q: z.string() }) };

const refusalOf = (run: () => unknown): RegistryError => {
  try {
    run();
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
  throw new Error('It was not refused');
};

/** The parsed request of a handler. */
const check = (checked: Route, event: Partial<APIGatewayProxyEvent>, body?: unknown) => {
  const request = { event, internal: { body } } as Parameters<
    NonNullable<ReturnType<typeof validation>['before']>
  >[0];
  validation(checked).before?.(request);
  return request.internal;
};

const checkQuery = (checked: Route, parameters: Record<string, string[]>): unknown =>
  check(checked, { multiValueQueryStringParameters: parameters }).query;

describe('the query of a request', () => {
  const many = Array.from({ length: 12 }, (_, at) => `unknown-${at}`);

  it('gets its first 5 unknown parameters reported, and the number of others', () => {
    const parameters = Object.fromEntries(many.map((name) => [name, ['x']]));

    expect(refusalOf(() => checkQuery(route, parameters)).parts.errors).toEqual([
      { path: 'q', message: 'is required' },
      ...many.slice(0, 5).map((path) => ({ path, message: 'is unknown; there are q' })),
      { path: 'query', message: 'has 7 more faults of this kind' },
    ]);
  });

  it('gets exactly 5 reported without a number of others', () => {
    const parameters = Object.fromEntries(many.slice(0, 5).map((name) => [name, ['x']]));

    const { errors } = refusalOf(() => checkQuery(route, { ...parameters, q: ['a'] })).parts;

    expect(errors).toHaveLength(5);
  });

  it('gets its first 5 repeated parameters reported, and the number of others', () => {
    const parameters = Object.fromEntries(many.slice(0, 6).map((name) => [name, ['x', 'y']]));

    const { errors } = refusalOf(() => checkQuery(route, parameters)).parts;

    expect(errors).toHaveLength(6);
    expect(errors?.at(-1)).toEqual({ path: 'query', message: 'has 1 more fault of this kind' });
  });

  it('gets a very long name shortened', () => {
    const { errors } = refusalOf(() => checkQuery(route, { ['x'.repeat(9000)]: ['y'] })).parts;

    expect(errors?.at(-1)?.path).toBe('x'.repeat(100));
  });

  it('is refused with an unknown parameter', () => {
    expect(() => checkQuery(route, { q: ['a'], timeout: ['10s'] })).toThrow(
      'timeout is unknown; there are q.',
    );
  });

  it('is refused with one line per fault', () => {
    const refusal = refusalOf(() => checkQuery(route, { one: ['x'], other: ['x'] }));

    expect(refusal.code).toBe('validation_failed');
    expect(refusal.message).toBe(
      'q is required; one is unknown; there are q; other is unknown; there are q.',
    );
  });

  const some = z.string().optional();

  it.each([
    ['is unknown; there are q, limit', z.strictObject({ q: some, limit: some })],
    ['is unknown; there are q', z.strictObject({ q: some }).transform((query) => query)],
    ['is unknown', z.strictObject({})],
  ])('gets the known parameters listed, if any: %s', (message, query) => {
    const refusal = refusalOf(() => checkQuery({ ...route, query }, { other: ['x'] }));

    expect(refusal.parts.errors).toEqual([{ path: 'other', message }]);
  });

  it('treats a parameter without values as empty', () => {
    const parameters = { q: undefined } as unknown as Record<string, string[]>;

    expect(checkQuery(route, parameters)).toEqual({ q: '' });
  });

  it('drops a parameter without values if the route accepts any', () => {
    const parameters = { q: ['a'], timeout: ['10s', '20s'] };

    expect(checkQuery({ ...route, anyQuery: true }, parameters)).toEqual({ q: 'a' });
  });

  it('must not repeat a known parameter', () => {
    expect(() => checkQuery({ ...route, anyQuery: true }, { q: ['a', 'b'] })).toThrow(
      'q must be given only once.',
    );
  });
});

describe('the path of a request', () => {
  const pathOf = (pathParameters: APIGatewayProxyEvent['pathParameters']) =>
    check({ ...route, query: z.strictObject({}) }, { pathParameters }).path;

  it('is decoded', () => {
    expect(pathOf({ name: '%40types%2Fnode', other: 'plain' })).toEqual({
      name: '@types/node',
      other: 'plain',
    });
  });

  it('stays unchanged if it is not encoded', () => {
    expect(pathOf({ name: '100%' })).toEqual({ name: '100%' });
  });

  it.each([
    [{ name: undefined }, { name: '' }],
    [null, {}],
  ])('may lack: %j', (given, expected) => {
    expect(pathOf(given)).toEqual(expected);
  });
});

describe('the body of a request', () => {
  const schema = z.strictObject({ package: z.strictObject({ name: z.string() }) });
  const withBody = {
    ...route,
    query: z.strictObject({}),
    body: { schema, maxBytes: 100 },
  } as unknown as Route;

  it('is parsed by the schema', () => {
    const trimmed = { ...withBody, body: { schema: z.object({ name: z.string().trim() }) } };
    const { body } = check(trimmed as unknown as Route, {}, { name: ' jszip ', other: 1 });

    expect(body).toEqual({ name: 'jszip' });
  });

  it('is refused with the path of the fault', () => {
    const refusal = refusalOf(() => check(withBody, {}, { package: { name: 1, version: 2 } }));

    expect(refusal.parts.errors?.map(({ path }) => path)).toEqual([
      'package.name',
      'package.version',
    ]);
  });

  it('is named "body" if all of it is invalid', () => {
    const refusal = refusalOf(() => check(withBody, {}, 'text'));

    expect(refusal.parts.errors?.map(({ path }) => path)).toEqual(['body']);
  });

  it('is ignored if the route has none', () => {
    expect(check({ ...withBody, body: undefined } as unknown as Route, {}, 'text').body).toBe(
      'text',
    );
  });
});

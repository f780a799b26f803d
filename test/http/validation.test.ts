import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RegistryError } from '../../shared/domain/errors.ts';
import { validation } from '../../shared/http/validation.ts';
import { type Route, routes } from '../../shared/routes.ts';

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

const checkQuery = (checked: Route, parameters: Record<string, string[]>): unknown => {
  const event = { multiValueQueryStringParameters: parameters } as Partial<APIGatewayProxyEvent>;
  const request = { event, internal: {} } as Parameters<
    NonNullable<ReturnType<typeof validation>['before']>
  >[0];
  validation(checked).before?.(request);
  return request.internal.query;
};

describe('the query of a request', () => {
  const many = Array.from({ length: 12 }, (_, at) => `unknown-${at}`);

  it('is told of its first 5 unknown parameters, and of how many more there are', () => {
    const parameters = Object.fromEntries(many.map((name) => [name, ['x']]));

    expect(refusalOf(() => checkQuery(route, parameters)).parts.errors).toEqual([
      { path: 'q', message: 'is required' },
      ...many.slice(0, 5).map((path) => ({ path, message: 'is unknown; there are q' })),
      { path: 'query', message: 'has 7 more faults of this kind' },
    ]);
  });

  it('is told of its first 5 repeated parameters, and of how many more there are', () => {
    const parameters = Object.fromEntries(many.slice(0, 6).map((name) => [name, ['x', 'y']]));

    const { errors } = refusalOf(() => checkQuery(route, parameters)).parts;

    expect(errors).toHaveLength(6);
    expect(errors?.at(-1)).toEqual({ path: 'query', message: 'has 1 more fault of this kind' });
  });

  it('is told of an endless name by its beginning', () => {
    const { errors } = refusalOf(() => checkQuery(route, { ['x'.repeat(9000)]: ['y'] })).parts;

    expect(errors?.at(-1)?.path).toBe('x'.repeat(100));
  });

  it('is refused with a parameter that the route does not know', () => {
    expect(() => checkQuery(route, { q: ['a'], timeout: ['10s'] })).toThrow(
      'timeout is unknown; there are q.',
    );
  });

  it('loses such a parameter where the route takes any', () => {
    const parameters = { q: ['a'], timeout: ['10s', '20s'] };

    expect(checkQuery({ ...route, anyQuery: true }, parameters)).toEqual({ q: 'a' });
  });

  it('still may not repeat what the route knows', () => {
    expect(() => checkQuery({ ...route, anyQuery: true }, { q: ['a', 'b'] })).toThrow(
      'q must be given only once.',
    );
  });
});

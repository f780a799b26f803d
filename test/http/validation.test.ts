import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { validation } from '../../shared/http/validation.ts';
import { type Route, routes } from '../../shared/routes.ts';

const route: Route = { ...routes.listPackages, query: z.strictObject({ q: z.string() }) };

const checkQuery = (checked: Route, parameters: Record<string, string[]>): unknown => {
  const event = { multiValueQueryStringParameters: parameters } as Partial<APIGatewayProxyEvent>;
  const request = { event, internal: {} } as Parameters<
    NonNullable<ReturnType<typeof validation>['before']>
  >[0];
  validation(checked).before?.(request);
  return request.internal.query;
};

describe('the query of a request', () => {
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
      'Give q only once.',
    );
  });
});

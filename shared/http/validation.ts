import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type ErrorItem, RegistryError } from '../domain/errors.ts';
import type { Route } from '../routes.ts';
import { describeIssue } from '../schemas/describe-issue.ts';
import type { EndpointMiddleware } from './state.ts';

const listItems = (issue: z.core.$ZodIssue, known: readonly string[]): ErrorItem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: known.length > 0 ? `is unknown; there are ${known.join(', ')}` : 'is unknown',
      }))
    : [{ path: issue.path.join('.') || 'body', message: issue.message }];

/** The names that a schema of an object knows. A transformed object is described by what goes into it. */
const listKnownKeys = (schema: z.ZodType): string[] => {
  const { def } = schema._zod as { def: { in?: z.ZodType; shape?: object } };
  if (def.in) return listKnownKeys(def.in);
  return Object.keys(def.shape ?? {});
};

const checkAgainst = (schema: z.ZodType<object>, value: unknown): object => {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => listItems(issue, listKnownKeys(schema)));
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new RegistryError('validation_failed', `${detail}.`, { errors });
};

const readQuery = (
  { query, anyQuery = false }: Pick<Route, 'query' | 'anyQuery'>,
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
): Record<string, string> => {
  const known = listKnownKeys(query);
  const parameters = Object.entries(multiValueQueryStringParameters ?? {}).filter(
    ([name]) => !anyQuery || known.includes(name),
  );
  const repeated = parameters.filter(([, values]) => (values?.length ?? 0) > 1);
  if (repeated.length > 0) {
    const errors = repeated.map(([path]) => ({ path, message: 'must be given only once' }));
    const names = repeated.map(([path]) => path).join(', ');
    throw new RegistryError('validation_failed', `Give ${names} only once.`, { errors });
  }
  return Object.fromEntries(parameters.map(([name, values]) => [name, values?.[0] ?? '']));
};

/** A segment that is no percent-encoding stays as it came: it then matches no name, which is a 404. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const readPath = ({ pathParameters }: APIGatewayProxyEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pathParameters ?? {}).map(([name, value]) => [name, decodeSegment(value ?? '')]),
  );

/** Checks query and body against the route's schemas; nothing that the route does not name gets through. */
export const validation = (route: Route): EndpointMiddleware => ({
  before: ({ event, internal }) => {
    internal.path = readPath(event);
    internal.query = checkAgainst(route.query, readQuery(route, event));
    if (route.body) internal.body = checkAgainst(route.body.schema, internal.body);
  },
});

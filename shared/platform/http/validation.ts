import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import type { Route } from '../../api/route.ts';
import { describeIssue } from '../../api/schemas/describe-issue.ts';
import { type ErrorItem, RegistryError } from '../../domain/errors.ts';
import { decodeUri } from '../../util/decode-uri.ts';
import type { EndpointMiddleware } from './state.ts';

/** Maximum number of listed faults of one kind. One request can have thousands, and a longer list does not help. */
const maxListedFaults = 5;
const maxPathLength = 100;

/** Returns a path as text, shortened and well-formed, because callers can send any name. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path.map(String).join('.').slice(0, maxPathLength).toWellFormed();

/** Returns the first items, and one item with the number of the others. */
const limitFaults = (items: readonly ErrorItem[], whole: string): ErrorItem[] => {
  const more = items.length - maxListedFaults;
  const rest = {
    path: whole,
    message: `has ${more} more fault${more === 1 ? '' : 's'} of this kind`,
  };
  return [...items.slice(0, maxListedFaults), ...(more > 0 ? [rest] : [])];
};

const listUnknown = (issue: z.core.$ZodIssue, known: readonly string[]): ErrorItem[] => {
  if (issue.code !== 'unrecognized_keys') return [];
  const message = known.length > 0 ? `is unknown; there are ${known.join(', ')}` : 'is unknown';
  return issue.keys.map((key) => ({ path: formatPath([...issue.path, key]), message }));
};

const listWrong = (issue: z.core.$ZodIssue, whole: string): ErrorItem[] =>
  issue.code === 'unrecognized_keys'
    ? []
    : [{ path: formatPath(issue.path) || whole, message: issue.message }];

const refuseFaults = (errors: readonly ErrorItem[]): RegistryError => {
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new RegistryError('validation_failed', `${detail}.`, { errors });
};

/** Returns the keys of an object schema; for a transformation, the keys of its input. */
const listKnownKeys = (schema: z.ZodType): string[] => {
  const { def } = schema._zod as { def: { in?: z.ZodType; shape?: object } };
  if (def.in) return listKnownKeys(def.in);
  return Object.keys(def.shape ?? {});
};

/**
 * Returns the value as parsed by a schema.
 * @param whole name of the value itself in error messages
 * @throws {RegistryError} `validation_failed` with the faults of the value
 */
export const checkAgainst = <T extends object>(
  schema: z.ZodType<T>,
  value: unknown,
  whole: string,
): T => {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  const known = listKnownKeys(schema);
  const unknown = issues.flatMap((issue) => listUnknown(issue, known));
  const wrong = issues.flatMap((issue) => listWrong(issue, whole));
  const errors = [...limitFaults(wrong, whole), ...limitFaults(unknown, whole)];
  throw refuseFaults(errors);
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
    const message = 'must be given only once';
    throw refuseFaults(
      limitFaults(
        repeated.map(([name]) => ({ path: formatPath([name]), message })),
        'query',
      ),
    );
  }
  return Object.fromEntries(parameters.map(([name, values]) => [name, values?.[0] ?? '']));
};

/** Returns the decoded path parameters. An invalid percent-encoding stays unchanged, matches no name, and leads to a 404. */
const readPath = ({ pathParameters }: APIGatewayProxyEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pathParameters ?? {}).map(([name, value]) => [name, decodeUri(value ?? '')]),
  );

/** Returns the middleware that validates query and body against the route's schemas, and refuses unknown fields. */
export const validation = (route: Route): EndpointMiddleware => ({
  before: ({ event, internal }) => {
    internal.path = readPath(event);
    internal.query = checkAgainst(route.query, readQuery(route, event), 'query');
    if (route.body) internal.body = checkAgainst(route.body.schema, internal.body, 'body');
  },
});

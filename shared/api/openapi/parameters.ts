import type { Route } from '../route.ts';
import { readPathParameters, takesIdempotencyKey } from '../route-rules.ts';
import { IdempotencyKey } from '../schemas/idempotency-key.ts';
import type { JsonSchema } from '../schemas/json-schema.ts';
import { wholeNumber } from '../schemas/query.ts';
import type { OperationDocs } from './operation-docs.ts';
import { describeFields, describeSchema, listRequired } from './schemas.ts';

const describePathParameters = (
  { path }: Route,
  examples: Readonly<Record<string, string>>,
): JsonSchema[] =>
  readPathParameters(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: 'One segment: a slash in it is written %2F.',
    schema: { type: 'string' },
    example: examples[name],
  }));

/** Returns the query parameters of a route. Numbers arrive as text; the schema describes their value. */
const describeQueryParameters = ({ query }: Route): JsonSchema[] => {
  const read = describeFields(query, 'output');
  const required = listRequired(query);
  return Object.entries(describeFields(query, 'input')).map(([name, given]) => {
    const { description, ...schema } =
      given['pattern'] === wholeNumber.source ? { ...read[name] } : given;
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      description,
      schema,
    };
  });
};

const describeIdempotencyKey = (): JsonSchema => {
  const { description, ...schema } = describeSchema(IdempotencyKey);
  return { name: 'Idempotency-Key', in: 'header', description, schema };
};

/** Header of a replay, the response to a repeated Idempotency-Key. */
export const replayedHeader: JsonSchema = {
  'Idempotency-Replayed': {
    description: 'That this is the first answer to the Idempotency-Key, given again.',
    schema: { type: 'string', const: 'true' },
  },
};

/** Returns the path, query and header parameters of a route. */
export const describeParameters = (route: Route, { path = {} }: OperationDocs): JsonSchema[] => [
  ...describePathParameters(route, path),
  ...describeQueryParameters(route),
  ...(takesIdempotencyKey(route) ? [describeIdempotencyKey()] : []),
];

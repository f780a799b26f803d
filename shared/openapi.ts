import * as z from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { type ProblemCode, problems } from './domain/errors.ts';
import { allRoutes, type Route } from './routes.ts';
import {
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
} from './schemas/license.ts';
import { PackageDetail, PackageListItem, PackagePage } from './schemas/package.ts';
import { Problem, problemContentType } from './schemas/problem.ts';
import { ScannerReport, ScanPage, ScanResult, Vulnerability } from './schemas/scan.ts';
import { ServiceInfo } from './schemas/service.ts';
import { Submission } from './schemas/submission.ts';

type JsonObject = Record<string, unknown>;

/** How a whole number is written in a query. */
const digitsPattern = '^[0-9]+$';

/** The schemas that have a name of their own in the document. */
const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
  PackageDetail,
  PackageListItem,
  PackagePage,
  Problem,
  ScannerReport,
  ScanPage,
  ScanResult,
  ServiceInfo,
  Submission,
  Vulnerability,
})) {
  named.add(schema, { id });
}

const reference = (id: string): string => `#/components/schemas/${id}`;

const withoutDialect = ({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject => schema;

/** What clients send is described as it goes in, what they get as it comes out. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const id = named.get(schema)?.id;
  return id === undefined
    ? withoutDialect(z.toJSONSchema(schema, { io, metadata: named, unrepresentable: 'any' }))
    : { $ref: reference(id) };
};

const components = (): JsonObject => {
  const { schemas } = z.toJSONSchema(named, {
    io: 'input',
    uri: reference,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema as JsonObject)]),
  );
};

const pathParameters = (path: string): JsonObject[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'One segment: a slash in it is written %2F.',
    schema: { type: 'string' },
  }));

type Properties = Record<string, JsonObject>;

const propertiesOf = (schema: z.ZodType, io: 'input' | 'output'): Properties =>
  (schemaOf(schema, io) as { properties?: Properties }).properties ?? {};

/** Parameters come as text; what they are read as is what they mean. */
const queryParameters = (query: z.ZodType): JsonObject[] => {
  const read = propertiesOf(query, 'output');
  return Object.entries(propertiesOf(query, 'input')).map(([name, { pattern, ...schema }]) => ({
    name,
    in: 'query',
    schema: pattern === digitsPattern ? { minimum: 0, ...read[name], type: 'integer' } : schema,
  }));
};

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request with the same key gets its first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** What any endpoint of the route's kind may answer, and what this one may. */
const problemCodes = (route: Route): ProblemCode[] => [
  'validation_failed',
  ...(route.body ? (['malformed_body', 'body_too_large'] as const) : []),
  ...(route.protected
    ? (['missing_token', 'invalid_token', 'idempotency_key_reused', 'tokens_unavailable'] as const)
    : []),
  ...route.errors,
  'internal_error',
];

const problemResponses = (route: Route): JsonObject => {
  const byStatus = Map.groupBy(problemCodes(route), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
        content: { [problemContentType]: { schema: { $ref: reference('Problem') } } },
      },
    ]),
  );
};

const operation = (route: Route): JsonObject => ({
  operationId: route.id,
  summary: route.summary,
  parameters: [
    ...pathParameters(route.path),
    ...queryParameters(route.query),
    ...(route.protected ? [idempotencyKey] : []),
  ],
  ...(route.body && {
    requestBody: {
      required: !route.body.optional,
      content: { 'application/json': { schema: schemaOf(route.body.schema, 'input') } },
    },
  }),
  responses: {
    [route.success.status]: {
      description: 'Success',
      content: { 'application/json': { schema: schemaOf(route.success.schema, 'output') } },
    },
    ...problemResponses(route),
  },
  ...(route.protected && { security: [{ token: [] }, {}] }),
});

/** The OpenAPI 3.1 document of the route table. */
export const openApiDocument = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const route of allRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: packageJson.name,
      version: packageJson.version,
      description: packageJson.description,
    },
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Needed whenever the registry has tokens configured.',
        },
      },
    },
  };
};

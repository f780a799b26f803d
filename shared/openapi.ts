import * as z from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { type ProblemCode, problems } from './domain/errors.ts';
import { allRoutes, isProtected, type Route, readPathParameters } from './routes.ts';
import {
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
} from './schemas/license.ts';
import { PackageAnswer, PackageListItem, PackagePage } from './schemas/package.ts';
import { Problem, problemContentType } from './schemas/problem.ts';
import { wholeNumber } from './schemas/query.ts';
import { ScannerReport, ScanPage, ScanResult, Vulnerability } from './schemas/scan.ts';
import { ServiceInfo } from './schemas/service.ts';
import { Submission } from './schemas/submission.ts';

type JsonObject = Record<string, unknown>;

/** The schemas that have a name of their own in the document. */
const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
  PackageAnswer,
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

const makeReference = (id: string): string => `#/components/schemas/${id}`;

const dropDialect = ({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject => schema;

/** What clients send is described as it goes in, what they get as it comes out. */
const describeSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const id = named.get(schema)?.id;
  return id === undefined
    ? dropDialect(z.toJSONSchema(schema, { io, metadata: named, unrepresentable: 'any' }))
    : { $ref: makeReference(id) };
};

const describeComponents = (): JsonObject => {
  const { schemas } = z.toJSONSchema(named, {
    io: 'input',
    uri: makeReference,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, dropDialect(schema as JsonObject)]),
  );
};

const describePathParameters = (path: string): JsonObject[] =>
  readPathParameters(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: 'One segment: a slash in it is written %2F.',
    schema: { type: 'string' },
  }));

type Properties = Record<string, JsonObject>;

const listProperties = (schema: z.ZodType, io: 'input' | 'output'): Properties =>
  (describeSchema(schema, io) as { properties?: Properties }).properties ?? {};

/** Parameters come as text; what they are read as is what they mean. */
const describeQueryParameters = (query: z.ZodType): JsonObject[] => {
  const read = listProperties(query, 'output');
  return Object.entries(listProperties(query, 'input')).map(([name, { pattern, ...schema }]) => ({
    name,
    in: 'query',
    schema:
      pattern === wholeNumber.source ? { minimum: 0, ...read[name], type: 'integer' } : schema,
  }));
};

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request with the same key gets its first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** What any endpoint of the route's kind may answer, and what this one may. */
const listProblemCodes = (route: Route): ProblemCode[] => [
  'validation_failed',
  ...(route.body ? (['malformed_body', 'body_too_large'] as const) : []),
  ...(isProtected(route)
    ? (['missing_token', 'invalid_token', 'idempotency_key_reused', 'tokens_unavailable'] as const)
    : []),
  ...route.errors,
  'internal_error',
  'storage_unavailable',
];

const describeProblems = (route: Route): JsonObject => {
  const byStatus = Map.groupBy(listProblemCodes(route), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
        content: { [problemContentType]: { schema: { $ref: makeReference('Problem') } } },
      },
    ]),
  );
};

const describeOperation = (route: Route): JsonObject => ({
  operationId: route.id,
  summary: route.summary,
  parameters: [
    ...describePathParameters(route.path),
    ...describeQueryParameters(route.query),
    ...(isProtected(route) ? [idempotencyKey] : []),
  ],
  ...(route.body && {
    requestBody: {
      required: !route.body.optional,
      content: { 'application/json': { schema: describeSchema(route.body.schema, 'input') } },
    },
  }),
  responses: {
    [route.success.status]: {
      description: 'Success',
      content: { 'application/json': { schema: describeSchema(route.success.schema, 'output') } },
    },
    ...describeProblems(route),
  },
  ...(isProtected(route) && { security: [{ token: [] }, {}] }),
});

/** The OpenAPI 3.1 document of the route table. */
export const makeOpenApiDocument = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const route of allRoutes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route),
    };
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
      schemas: describeComponents(),
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

import packageJson from '../../../package.json' with { type: 'json' };
import { type Routes, routesByName } from '../all-routes.ts';
import type { Route } from '../route.ts';
import { defaultMaxBytes, isProtected, replaysAnswers } from '../route-rules.ts';
import type { JsonSchema } from '../schemas/json-schema.ts';
import { namedSchemas } from '../schemas/named-schemas.ts';
import { adaptToGenerators } from './generators.ts';
import { type OperationDocs, operationDocs, tags } from './operation-docs.ts';
import { describeParameters, replayedHeader } from './parameters.ts';
import { describeProblemExamples, describeProblems } from './problems.ts';
import { describeNamedSchemas, refer } from './schemas.ts';

const headers = {
  Location: {
    description: 'Where the new version is read.',
    schema: { type: 'string', format: 'uri' },
    required: true,
  },
  Link: {
    description: 'The next and the previous page, where there are any (RFC 8288).',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'How long caches may keep the response (RFC 9111).',
    schema: { type: 'string' },
    required: true,
  },
};

const describeBody = ({ body }: Route, example: unknown): JsonSchema =>
  body
    ? {
        requestBody: {
          description: `At most ${(body.maxBytes ?? defaultMaxBytes) / 1024} KiB.`,
          required: !body.optional,
          content: { 'application/json': { schema: refer(body.schema), example } },
        },
      }
    : {};

const describeSuccess = (route: Route, example: unknown): JsonSchema => {
  const { header, answer } = route.success;
  return {
    description: 'Success',
    headers: {
      ...(header && { [header]: headers[header] }),
      ...(replaysAnswers(route) && replayedHeader),
    },
    content: { 'application/json': { schema: refer(namedSchemas[answer]), example } },
  };
};

/** Returns the redirect of a route that sends browsers to the console; empty for other routes. */
const describeLead = ({ leadsBrowsers }: Route): JsonSchema =>
  leadsBrowsers
    ? {
        302: {
          description: 'For browsers, which ask for HTML and not for JSON.',
          headers: { Location: { ...headers.Location, description: 'The console.' } },
        },
      }
    : {};

/** Returns a description of the scope that the token of a request needs; empty for a route without one. */
const describeScope = ({ scope, otherScope, ownScope }: Route): string => {
  if (scope === undefined || scope === 'any') return '';
  const own = ownScope
    ? ` One with \`${ownScope}\` can do it for what was submitted with it, while that is pending.`
    : '';
  const other = otherScope ? ` or \`${otherScope}\`` : '';
  return ` Needs a token with the scope \`${scope}\`${other}.${own}`;
};

const describeOperation = (route: Route, operation: OperationDocs): JsonSchema => ({
  operationId: route.id,
  tags: [operation.tag],
  summary: route.summary,
  description: `${operation.description}${describeScope(route)}`,
  security: isProtected(route) ? [{ token: [] }, { idToken: [] }, {}] : [],
  parameters: describeParameters(route, operation),
  ...describeBody(route, operation.body),
  responses: {
    [route.success.status]: describeSuccess(route, operation.answer),
    ...describeLead(route),
    ...describeProblems(route),
  },
});

/** Names of the endpoints in the order of the document. */
const documented = Object.keys(operationDocs) as (keyof Routes)[];

const describePaths = (): JsonSchema => {
  const paths: Record<string, JsonSchema> = {};
  for (const name of documented) {
    const { path, method } = routesByName[name];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation(routesByName[name], operationDocs[name]),
    };
  }
  return paths;
};

/** Returns the OpenAPI 3.1 document of all routes, with exact types. */
export const makeOpenApiDocument = (): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Package registry',
    version: packageJson.version,
    description: packageJson.description,
    contact: { name: 'The operators of this registry' },
    license: { name: packageJson.license, identifier: packageJson.license },
  },
  servers: [{ url: 'http://127.0.0.1:3000', description: 'This machine, by npm start' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: describePaths(),
  components: {
    schemas: describeNamedSchemas(),
    examples: describeProblemExamples(documented.map((name) => routesByName[name])),
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description:
          'Needed whenever the registry has tokens configured. A token has the scope `submit`, `review` or both; `GET /whoami` shows them.',
      },
      idToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'The ID token of a person who signed in, or of a CI job, where the registry accepts them: `sign_in` and `job_audience` of the root document. `X-API-Key` takes precedence.',
      },
    },
  },
});

/** Returns the OpenAPI 3.1 document of all routes, for readers and for generators of clients. */
export const makePublishedDocument = (): JsonSchema => adaptToGenerators(makeOpenApiDocument());

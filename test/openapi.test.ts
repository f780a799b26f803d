import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { makeOpenApiDocument } from '../shared/openapi.ts';
import { allRoutes } from '../shared/routes.ts';

type Document = Record<string, unknown>;

const written = (): Document => JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

it('keeps openapi.json up to date with the routes (npm run openapi writes it)', () => {
  expect(written()).toEqual(JSON.parse(JSON.stringify(makeOpenApiDocument())));
});

it('is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(written());

  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it('has an operation for each route', () => {
  const paths = written()['paths'] as Record<string, Record<string, { operationId: string }>>;

  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(allRoutes.map(({ id }) => id).sort());
});

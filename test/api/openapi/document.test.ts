import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { makePublishedDocument } from '../../../shared/api/openapi/document.ts';

const written: Record<string, unknown> = JSON.parse(readFileSync('openapi.json', 'utf8'));

it('keeps openapi.json up to date with the routes (npm run openapi writes it)', () => {
  expect(written).toEqual(JSON.parse(JSON.stringify(makePublishedDocument())));
});

it('has an operation for each route, and a chapter for each operation', () => {
  const paths = written['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  const tags = (written['tags'] as { name: string }[]).map(({ name }) => name);

  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    allRoutes.map(({ id }) => id).sort(),
  );
  for (const operation of operations) {
    expect(tags).toEqual(expect.arrayContaining(operation['tags'] as string[]));
  }
});

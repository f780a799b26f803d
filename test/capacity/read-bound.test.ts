import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pages } from '../../shared/api/non-api-routes.ts';
import { reviewPolicyFile, settingVariables, tables } from '../../shared/api/resources.ts';
import type { Route } from '../../shared/api/route.ts';
import * as routes from '../../shared/api/routes.ts';
import { maxReadUnits } from '../../shared/storage/dynamodb/read-budget.ts';
import { type Measurement, measure, type TestEngine } from '../support/engine.ts';
import { type Asked, dearest, type Public, readsNothing } from './dearest-requests.ts';
import { openItems } from './loaded-registry.ts';
import { worstItems, writeRest } from './worst-data.ts';

// The list of tokens is no table, and these requests have no token.
vi.mock('../../shared/platform/auth/tokens.ts', () => ({
  tokens: { current: async () => undefined },
}));

const settings: Readonly<Partial<Record<keyof typeof settingVariables, string>>> = {
  ...{ scanFailedFrom: 'high', scanWarningFrom: 'low', scanUnrated: 'warning' },
  ...{ blockingIssues: 'none', requireApprovedLicense: 'false', minimumAgeDays: '0' },
  ...{ npmUrl: 'https://x.example', pypiUrl: 'https://x.example', mavenUrl: 'https://x.example' },
  ...{
    gateOrigins: 'none',
    ownPackages: 'none',
    ...{ osvScanning: 'true', collectFacts: 'true' },
    gateMavenPlugins: 'approved',
    gateCacheSeconds: '60',
    gateRequests: 'false',
  },
};

type Operation = Pick<Route, 'id' | 'path' | 'access'> & { readonly method?: Route['method'] };
const operations: Readonly<Record<Public, Operation>> = { ...routes, ...pages };

const fill = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\+?\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));

const toLists = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

const toEvent = (operation: Operation, { path = {}, query = {}, body }: Asked) => {
  const { path: resource, method = 'GET' } = operation;
  const sent = fill(resource, path).replaceAll('%2F', '/');
  return {
    ...{ resource, path: sent, httpMethod: method, body: body ? JSON.stringify(body) : null },
    headers: { Host: 'registry.example.com', 'Content-Type': 'application/json' },
    ...{ multiValueHeaders: null, isBase64Encoded: false },
    multiValueQueryStringParameters: toLists(query),
    pathParameters: Object.fromEntries(
      Object.entries(path).map(([name, value]) => [
        name,
        name === 'path' ? value : encodeURIComponent(value),
      ]),
    ),
    requestContext: { requestId: randomUUID(), path: sent, domainName: 'registry.example.com' },
  };
};

const ask = async (operation: Operation, asked: Asked): Promise<Measurement<unknown>> => {
  const { handler } = await import(`../../functions/${operation.id}.ts`);
  const context = { getRemainingTimeInMillis: () => 60_000 };
  return measure(() => handler(toEvent(operation, asked), context));
};

let engine: TestEngine;
beforeAll(async () => {
  engine = await openItems(worstItems());
  for (const [id, value] of Object.entries(settings)) {
    process.env[settingVariables[id as keyof typeof settings]] = value;
  }
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  writeFileSync(
    join(folder, reviewPolicyFile),
    JSON.stringify({ rules: [{ name: 'all', when: {}, then: 'hold' }] }),
  );
  process.env['LAMBDA_TASK_ROOT'] = folder;
  await writeRest();
});
afterAll(() => engine.close());

/** The documented limit of each operation. */
const documented = new Map(
  [...readFileSync('docs/speed.md', 'utf8').matchAll(/^\| `([\w-]+)` \|.*\| ([\d,]+) \|$/gm)].map(
    ([, id = '', units = '']) => [id, Number(units.replace(',', ''))],
  ),
);

it('documents no limit above the most read units of one request', () => {
  expect(Math.max(...documented.values())).toBeLessThanOrEqual(maxReadUnits);
});

describe.each(Object.entries(dearest))('%s', (name, asked) => {
  const operation = operations[name as Public];

  if (asked === readsNothing) {
    it('has no access to tables', () => {
      expect(Object.keys(operation.access).filter((id) => id in tables)).toEqual([]);
    });
    return;
  }

  it.each(asked)('reads at most the documented units, and answers $status: $what', async (one) => {
    const { result, readUnits } = await ask(operation, one);

    expect(Object(result).statusCode).toBe(one.status);
    expect(readUnits).toBeLessThanOrEqual(documented.get(operation.id) ?? 0);
  });
});

/** Requests to the functions of operations in this process, for a count of their reads. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pages } from '../../shared/api/non-api-routes.ts';
import { reviewPolicyFile, settingVariables } from '../../shared/api/resources.ts';
import type { Route } from '../../shared/api/route.ts';
import * as routes from '../../shared/api/routes.ts';
import {
  type TrustedIssuers,
  trustedIssuersFile,
} from '../../shared/domain/identity/trusted-issuer.ts';
import { type Measurement, measure } from '../support/engine.ts';
import type { Asked, Public } from './dearest-requests.ts';

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
    signDecisions: 'false',
    factsHours: '168',
  },
};

export type Operation = Pick<Route, 'id' | 'path' | 'access'> & {
  readonly method?: Route['method'];
};
/** The operations without a token, by their names. */
export const operations: Readonly<Record<Public, Operation>> = { ...routes, ...pages };

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

/** Sends a request to the function of an operation, and measures it. */
export const ask = async (operation: Operation, asked: Asked): Promise<Measurement<unknown>> => {
  const { handler } = await import(`../../functions/${operation.id}.ts`);
  const context = { getRemainingTimeInMillis: () => 60_000 };
  return measure(() => handler(toEvent(operation, asked), context));
};

/** Sets the environment of functions: settings, and the files with the rules and the issuers. */
export const setEnvironment = (): void => {
  for (const [id, value] of Object.entries(settings)) {
    process.env[settingVariables[id as keyof typeof settings]] = value;
  }
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  writeFileSync(
    join(folder, reviewPolicyFile),
    JSON.stringify({ rules: [{ name: 'all', when: {}, then: 'hold' }] }),
  );
  writeFileSync(
    join(folder, trustedIssuersFile),
    JSON.stringify({ signIn: null, jobAudience: null, issuers: [] } satisfies TrustedIssuers),
  );
  process.env['LAMBDA_TASK_ROOT'] = folder;
};

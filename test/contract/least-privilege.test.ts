import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import policy from '../../infra/license-policy.json' with { type: 'json' };
import type { AwsHooks, FunctionCall } from '../../infra/local/aws/aws-proxy.ts';
import { requiredAccess } from '../../infra/local/aws/required-access.ts';
import type { LambdaFunction, StackModel } from '../../infra/local/template/model.ts';
import { allRoutes } from '../../shared/routes.ts';
import type { BatchAnswer } from '../../shared/scanning/scan-submissions.ts';
import { allWorkers } from '../../shared/workers.ts';
import { databaseOf } from '../support/database.ts';
import { functionOf } from '../support/functions.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { redeploy } from '../support/redeploy.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

/** Requests that together use everything that a route's function may do. */
type Exercise = (registry: TestRegistry, name: string) => Promise<number[]>;

const selections = [
  '',
  '?version=1.0.0',
  '?ecosystem=npm',
  '?status=pending',
  '?ecosystem=npm&status=pending',
];

const reading =
  (path: (name: string) => string, queries: readonly string[] = selections): Exercise =>
  async (registry, name) => {
    const answers = queries.map((query) => registry.get(`${path(name)}${query}`));
    return (await Promise.all(answers)).map(({ status }) => status);
  };

/** The first decision finds a pending version, the others find none and look among all. */
const deciding =
  (what: string): Exercise =>
  async (registry, name) => {
    const statuses: number[] = [];
    for (const query of ['', '', '?ecosystem=npm', '?version=1.0.0']) {
      const { status } = await registry.send('POST', packagePath(name, `/${what}${query}`), {
        headers: { 'Idempotency-Key': `${name}-${statuses.length}` },
      });
      statuses.push(status);
    }
    return statuses;
  };

const submitting: Exercise = async (registry, name) => {
  const submission = { ecosystem: 'npm', name: `${name}-other`, version: '1.0.0' };
  const headers = { 'Idempotency-Key': name };
  return [(await registry.post('/api/v1/packages', submission, { headers })).status];
};

/** Invokes a worker. Resolves to a status, as if it were a request. */
const invoking =
  (workerId: string, event: unknown): Exercise =>
  async ({ stack }) => {
    try {
      await stack.invoke(functionOf(stack.model, workerId).id, event);
      return [200];
    } catch {
      return [500];
    }
  };

/** Uploads with and without a selection, and once more with the same key, which reads the first answer. */
const submittingScan: Exercise = async (registry, name) => {
  const statuses: number[] = [];
  const approved = await registry.post(packagePath(name, '/approve'));
  statuses.push(approved.status);
  for (const query of ['', '', '?ecosystem=npm', '?version=1.0.0']) {
    const path = `/api/v1/security/scans/${name}${query}`;
    const headers = { 'Idempotency-Key': `${name}${query}` };
    const { status } = await registry.post(path, ownReport, { headers });
    statuses.push(status);
  }
  return statuses;
};

const ownReport = { tool: 'a-scanner', vulnerabilities: [] };

/** Fails once, so that there is something to forget when it goes well. Resolves to a status for each attempt. */
const scanningSubmission: Exercise = async ({ stack }, name) => {
  const NewImage = marshall({ ecosystem: 'npm', name, version: '1.0.0' });
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] };
  const attempt = async (expected: number): Promise<number> => {
    const { id } = functionOf(stack.model, 'scan-submissions');
    const answer = await stack.invoke(id, event).catch(() => undefined);
    const failures = (answer as BatchAnswer | undefined)?.batchItemFailures.length;
    return failures === expected ? 200 : 500;
  };
  osv.fail({ kind: 'body', body: 'no JSON' });
  const first = await attempt(1);
  osv.recover();
  return [first, await attempt(0)];
};

/** Approves something to look at, and makes the next rescan due. */
const rescanning: Exercise = async (registry, name) => {
  const TableName = registry.stack.tables['SCANS_TABLE'];
  const unscanned = { package_key: '#unscanned', scan_key: `npm#${name}#1.0.0` };
  const Item = { ...unscanned, ecosystem: 'npm', name, version: '1.0.0' };
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  await registry.post(packagePath(name, '/approve'));
  const Key = { package_key: '#rescan', scan_key: '#state' };
  await databaseOf(registry).send(new DeleteCommand({ TableName, Key }));
  return invoking('rescan-packages', {})(registry, name);
};

/** Decides twice with the same key: the second time, the first answer is read. */
const settingLicense: Exercise = async (registry, name) => {
  const body = { status: 'approved', category: 'proprietary' };
  const headers = { 'Idempotency-Key': name };
  const path = `/api/v1/licenses/${name}`;
  const first = await registry.send('PUT', path, { body, headers });
  const second = await registry.send('PUT', path, { body, headers });
  const withException = `/api/v1/licenses/GPL-2.0-only%20WITH%20LLVM-exception`;
  await registry.send('PUT', withException, { body: { status: 'approved' } });
  const dropped = await registry.send('PUT', withException, { body: { status: null } });
  return [first.status, second.status, dropped.status];
};

/** Loads the licenses by another policy than before, and one that SPDX renamed: there is something to put and to delete. */
const loadingLicenses: Exercise = async (registry, name) => {
  const renamed = { kind: 'license', license_key: 'gpl-1.0', name: 'GPL-1.0', revision: 1 };
  const Item = { ...renamed, status: 'approved', category: 'copyleft', reviewed_at: null };
  const TableName = registry.stack.tables['LICENSES_TABLE'];
  if (TableName) await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  const licenses = { MIT: Number(name.split('-')[1]) % 2 ? 'approved' : 'conditional' };
  try {
    await redeploy(registry, { ...policy, licenses });
    return [200];
  } catch {
    return [500];
  }
};

/** Gives the audit something to find and mend in each of its phases. */
const auditing: Exercise = async (registry, name) => {
  const database = databaseOf(registry);
  const TableName = registry.stack.tables['CATALOGUE_TABLE'];
  const { Items } = await database.send(new ScanCommand({ TableName }));
  const row = Items?.find((item) => item['n'] === name && item['c']);
  const counter = Items?.find((item) => item['p'] === '#c');
  await database.send(new DeleteCommand({ TableName, Key: { p: row?.['p'], o: row?.['o'] } }));
  await database.send(new PutCommand({ TableName, Item: { ...row, p: 'nowhere' } }));
  await database.send(new PutCommand({ TableName, Item: { ...counter, A: 99 } }));
  // A counter in many shards, so that some of them have to go.
  await database.send(new PutCommand({ TableName, Item: { ...counter, o: '00000007', u: 1 } }));
  const PACKAGES = registry.stack.tables['PACKAGES_TABLE'];
  const ordinals = { name_key: '#ordinal', version_key: '#ordinal' };
  await database.send(new PutCommand({ TableName: PACKAGES, Item: { ...ordinals, count: 0 } }));
  return invoking('audit-catalogue', { repair: true })(registry, name);
};

const exercises: Readonly<Record<string, Exercise>> = {
  'show-service': async (registry) => [(await registry.get('/')).status],
  'list-packages': reading(
    () => '/api/v1/packages',
    selections.filter((query) => !query.includes('version')),
  ),
  'show-package': reading(packagePath),
  'list-versions': reading((name) => packagePath(name, '/versions')),
  'submit-package': submitting,
  'approve-package': deciding('approve'),
  'reject-package': deciding('reject'),
  'list-scans': reading((name) => `/api/v1/security/scans/${name}/history`),
  'submit-scan': submittingScan,
  'scan-submissions': scanningSubmission,
  'rescan-packages': rescanning,
  'show-scan': reading((name) => `/api/v1/security/scans/${name}`),
  'audit-catalogue': auditing,
  'rotate-tokens': invoking('rotate-tokens', {}),
  'list-licenses': reading(() => '/api/v1/licenses', ['', '?status=rejected', '?category=unknown']),
  'show-license': reading(() => '/api/v1/licenses/MIT', ['']),
  'set-license': settingLicense,
  'compare-licenses': reading(() => '/api/v1/licenses/MIT/compatibility/Acme', ['']),
  'load-licenses': loadingLicenses,
};

const everyId = [...allRoutes, ...allWorkers].map(({ id }) => id);

let count = 0;

/** A new package, pending, that an exercise may do anything with. */
const freshPackage = async (registry: TestRegistry): Promise<string> => {
  count += 1;
  const name = `subject-${count}`;
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
  return name;
};

const exercise = async (
  registry: TestRegistry,
  routeId: string,
  withhold: () => void = () => undefined,
): Promise<number[]> => {
  const name = await freshPackage(registry);
  withhold();
  return (await exercises[routeId]?.(registry, name)) ?? [];
};

const isFailure = (status: number): boolean => status >= 500;

/** What AWS answers to a call that the role does not allow. */
const denied = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: 'AccessDeniedException', message: 'withheld by the test' }),
};

/** The event source mapping reads the stream by the function's role. */
const readsStream = (action: string): boolean =>
  /dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)/.test(action);

/** A warm function keeps its token list, so that reading it is shown where a list cannot be loaded, and not here. */
const isShownHere = ({ action }: { action: string }): boolean =>
  (action.startsWith('dynamodb:') && !readsStream(action)) ||
  /secretsmanager:(Describe|Put|Update)/.test(action);

const needs = (call: FunctionCall, action: string, resource: string): boolean => {
  if (call.service === 'secretsmanager') return action === `secretsmanager:${call.operation}`;
  const needed = requiredAccess(call) ?? [];
  return needed.some((access) => access.action === action && access.resource === resource);
};

/** Submissions are scanned where a test says so, and not by themselves. */
const withoutStream = (model: StackModel): StackModel => ({ ...model, eventSources: {} });

let osv: OsvServer;

beforeAll(async () => {
  osv = await startOsvServer();
});
afterAll(() => osv.close());

describe('the grants of each function', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ hooks, osvUrl: osv.url, transform: withoutStream });
  });
  afterAll(() => registry.close());

  it.each(Object.keys(exercises))('suffice: %s', async (routeId) => {
    const statuses = await exercise(registry, routeId);

    expect(statuses.filter(isFailure)).toEqual([]);
  });

  it.each(everyId)('are all needed: %s', async (routeId) => {
    const lambda = functionOf(registry.stack.model, routeId);
    const statements = registry.stack.model.roles[lambda.roleId] ?? [];
    const grants = statements.flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
    );

    const superfluous: string[] = [];
    for (const { action, resource } of grants.filter(isShownHere)) {
      const statuses = await exercise(registry, routeId, () => {
        hooks.onRequest = (call) =>
          call.functionId === lambda.id && needs(call, action, resource) ? denied : undefined;
      });
      hooks.onRequest = undefined;
      if (!statuses.some(isFailure)) superfluous.push(`${action} on ${resource}`);
    }

    expect(grants.length).toBeGreaterThan(0);
    expect(superfluous).toEqual([]);
  });
});

describe('the environment of each function', () => {
  let model: StackModel;

  beforeAll(async () => {
    const registry = await TestRegistry.start();
    model = registry.stack.model;
    await registry.close();
  });

  const without =
    (lambda: LambdaFunction, variable: string) =>
    (given: StackModel): StackModel => {
      const { [variable]: _, ...environment } = lambda.environment;
      return {
        ...given,
        functions: { ...given.functions, [lambda.id]: { ...lambda, environment } },
      };
    };

  it.each(everyId)('is all needed: %s', async (routeId) => {
    const lambda = functionOf(model, routeId);
    const variables = Object.keys(lambda.environment);

    const superfluous: string[] = [];
    for (const variable of variables) {
      const registry = await TestRegistry.start({
        osvUrl: osv.url,
        transform: (given) => withoutStream(without(lambda, variable)(given)),
      });
      const statuses =
        routeId === 'submit-package'
          ? await submitting(registry, 'x')
          : await exercise(registry, routeId);
      if (!statuses.some(isFailure)) superfluous.push(variable);
      await registry.close();
    }

    expect(variables.length).toBeGreaterThan(0);
    expect(superfluous).toEqual([]);
  });
});

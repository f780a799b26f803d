import { type AwsHooks, type FunctionCall, findRequiredAccess, type StackModel } from 'local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allFunctions, type RegistryFunctionId } from '../../shared/functions.ts';
import { functionOf } from '../support/functions.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { TestRegistry } from '../support/registry.ts';
import { usingVariant, withVariants } from '../support/variants.ts';
import { exercises } from './exercises.ts';

/** These go through all that there is, which is less before the others than after them. */
const firstIds: readonly RegistryFunctionId[] = [
  'audit-catalogue',
  'run-due-work',
  'rescan-packages',
];

/** A page may be all that it serves: it then needs nothing. */
const everyId = allFunctions
  .filter(({ access }) => Object.keys(access).length > 0)
  .map(({ id }) => id as RegistryFunctionId)
  .sort((one, other) => Number(firstIds.includes(other)) - Number(firstIds.includes(one)));

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
  routeId: RegistryFunctionId,
  withhold: (registry: TestRegistry) => TestRegistry = (same) => same,
): Promise<number[]> => {
  const name = await freshPackage(registry);
  return exercises[routeId](withhold(registry), name, osv);
};

const isFailure = (status: number): boolean => status >= 500;

/** What AWS answers to a call that the role does not allow. */
const denied = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: 'AccessDeniedException', message: 'withheld by the test' }),
};

/** The event source mapping reads the stream by the function's role, and so it reads queues. */
const readsStream = (action: string): boolean =>
  /dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)/.test(action);

/** A warm function keeps its token list, so that reading it is shown where a list cannot be loaded, and not here. */
const isShownHere = ({ action }: { action: string }): boolean =>
  (action.startsWith('dynamodb:') && !readsStream(action)) ||
  action === 'sqs:SendMessage' ||
  /secretsmanager:(Describe|Put|Update)/.test(action);

const needs = (call: FunctionCall, action: string, resource: string): boolean => {
  if (call.service === 'secretsmanager') return action === `secretsmanager:${call.operation}`;
  const needed = findRequiredAccess(call) ?? [];
  return needed.some((access) => access.action === action && access.resource === resource);
};

/** Submissions are scanned where a test says so, and not by themselves. */
const withoutStream = (model: StackModel): StackModel => ({
  ...model,
  eventSources: {},
  queueSources: {},
});

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

  it.each(everyId)('are all needed: %s', { timeout: 240_000 }, async (routeId) => {
    const lambda = functionOf(registry.stack.model, routeId);
    const statements = registry.stack.model.roles[lambda.roleId] ?? [];
    const grants = statements.flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
    );

    const superfluous: string[] = [];
    for (const { action, resource } of grants.filter(isShownHere)) {
      const statuses = await exercise(registry, routeId, (same) => {
        hooks.onRequest = (call) =>
          call.functionId === lambda.id && needs(call, action, resource) ? denied : undefined;
        return same;
      });
      hooks.onRequest = undefined;
      if (!statuses.some(isFailure)) superfluous.push(`${action} on ${resource}`);
    }

    expect(grants.length).toBeGreaterThan(0);
    expect(superfluous).toEqual([]);
  });

  it.each(Object.keys(exercises) as RegistryFunctionId[])('suffice: %s', async (routeId) => {
    const statuses = await exercise(registry, routeId);

    expect(statuses.filter(isFailure)).toEqual([]);
  });
});

describe('the environment of each function', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    const transform = (model: StackModel) => withVariants(withoutStream(model));
    registry = await TestRegistry.start({ osvUrl: osv.url, transform });
  });
  afterAll(() => registry.close());

  it.each(everyId)('is all needed: %s', { timeout: 120_000 }, async (routeId) => {
    const lambda = functionOf(registry.stack.model, routeId);
    const variables = Object.keys(lambda.environment);

    const superfluous: string[] = [];
    for (const variable of variables) {
      const statuses = await exercise(registry, routeId, (given) =>
        usingVariant(given, { lambda, variable }),
      );
      if (!statuses.some(isFailure)) superfluous.push(variable);
    }

    expect(variables.length).toBeGreaterThan(0);
    expect(superfluous).toEqual([]);
  });
});

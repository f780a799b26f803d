import {
  type AwsHooks,
  type FunctionCall,
  findRequiredAccess,
  type LambdaFunction,
  type StackModel,
} from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allFunctions, type RegistryFunctionId } from '../../shared/api/functions.ts';
import { listAccess } from '../../shared/api/resources.ts';
import { clockVariable, preloading } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { type ExercisedRegistry, firstRootVariable, startExercised } from './exercised-registry.ts';

const everyId = allFunctions.map(({ id }) => id as RegistryFunctionId);

/** A page may be all that it serves: it then needs no grant. Settings are variables, and no grants. */
const needsNoGrant = (id: RegistryFunctionId): boolean =>
  allFunctions
    .filter((one) => one.id === id)
    .flatMap((one) => listAccess(one, () => true))
    .every((access) => Object.keys(access).every((name) => name === 'settings'));

/** An action that a statement allows, and on what. */
interface Access {
  readonly action: string;
  readonly resource: string;
}

const isFailure = (status: number): boolean => status >= 500;

/** The event source mapping reads the stream by the function's role, and so it reads queues. */
const readsStream = (action: string): boolean =>
  /dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)/.test(action);

/** The event source mapping sends the places of records that failed, by the function's role. */
const sendsFailures = ({ action, resource }: Access): boolean =>
  action === 'sqs:SendMessage' && resource.includes('SigningKeyDeadLetters');

/** A warm function keeps its token list, so that reading it is shown where a list cannot be loaded, and not here. */
const isShownHere = ({ action, resource }: Access): boolean =>
  (action.startsWith('dynamodb:') && !readsStream(action)) ||
  (action === 'sqs:SendMessage' && !sendsFailures({ action, resource })) ||
  action.startsWith('kms:') ||
  action.startsWith('cloudformation:') ||
  /secretsmanager:(Describe|Put|Update)/.test(action);

const grantsOf = (model: StackModel, { roleId }: { roleId: string }): Access[] =>
  (model.roles[roleId] ?? [])
    // A warm function knows the format of its tables.
    .filter(({ leadingKeys }) => !leadingKeys)
    .flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
    );

/** Whether a call is one that a grant is for. */
const needs = (call: FunctionCall, { action, resource }: Access): boolean =>
  call.service === 'secretsmanager'
    ? action === `secretsmanager:${call.operation}`
    : (findRequiredAccess(call) ?? []).some(
        (access) => access.action === action && access.resource === resource,
      );

/** Without a quota nothing is counted. */
const setQuotas = ({ environment }: LambdaFunction): Record<string, string> =>
  Object.fromEntries(
    Object.keys(environment)
      .filter((name) => name.endsWith('_PER_DAY'))
      .map((name) => [name, '1000000']),
  );

const loggingReads = (lambda: LambdaFunction): LambdaFunction => ({
  ...lambda,
  environment: {
    ...lambda.environment,
    ...setQuotas(lambda),
    ...preloading(lambda, 'log-variable-reads.ts'),
  },
});

let exercised: ExercisedRegistry;
const hooks: AwsHooks = {};

beforeAll(async () => {
  exercised = await startExercised({ hooks, change: loggingReads });
});
afterAll(() => exercised.close());

/** What only these tests put into an environment. */
const ofTests = ['NODE_OPTIONS', clockVariable, firstRootVariable];

/** What a function was given in its environment and has not read since the registry was started. */
const findUnreadVariables = ({ id, name }: LambdaFunction): string[] => {
  const given = Object.keys(exercised.registry.stack.model.functions[id]?.environment ?? {});
  const read = exercised.registry.logs.filter(
    (line) => line['event'] === 'variable-read' && line['functionName'] === name,
  );
  return given.filter(
    (one) => !ofTests.includes(one) && !read.some(({ variable }) => variable === one),
  );
};

// The local AWS denies what no grant allows, and what reads a variable that is missing throws.
describe('the grants and the environment of each function', () => {
  it.each(everyId)('suffice, and are all needed: %s', async (routeId) => {
    const { model } = exercised.registry.stack;
    const lambda = functionOf(model, routeId);
    const grants = grantsOf(model, lambda);
    const unused = new Set(grants.filter(isShownHere));
    hooks.onRequest = (call) => {
      if (call.functionId !== lambda.id) return undefined;
      for (const grant of unused) if (needs(call, grant)) unused.delete(grant);
      return undefined;
    };

    const statuses = await exercised.exercise(routeId);

    expect(statuses.filter(isFailure)).toEqual([]);
    expect(grants.length === 0).toBe(needsNoGrant(routeId));
    expect([...unused]).toEqual([]);
    expect(findUnreadVariables(lambda)).toEqual([]);
  });
});

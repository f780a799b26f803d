import type { AwsHooks, LambdaFunction, StackModel } from '@package-registry/local-aws';
import type { RegistryFunctionId } from '../../shared/api/functions.ts';
import { settingVariables } from '../../shared/api/resources.ts';
import { FunctionClock, preloading } from '../support/function-clocks.ts';
import { startOriginServer } from '../support/origin-server.ts';
import { startOsvServer } from '../support/osv-server.ts';
import { type StartOptions, TestRegistry } from '../support/registry.ts';
import { firstRoot } from '../support/tuf-repository.ts';
import { exercises } from './exercises.ts';
import { exercisedPolicy } from './policy-exercises.ts';

/** Environment variable with the first root of the test's own TUF repository. */
export const firstRootVariable = 'FIRST_ROOT';

/** Makes the worker of the trusted root trust the test's repository. */
const trustingTests = (lambda: LambdaFunction): LambdaFunction =>
  settingVariables.trustedRootUrl in lambda.environment
    ? {
        ...lambda,
        environment: {
          ...lambda.environment,
          ...preloading(lambda, 'trust-first-root.ts'),
          [firstRootVariable]: firstRoot.toString('base64'),
        },
      }
    : lambda;

interface ExercisedOptions extends Omit<StartOptions, 'transform'> {
  readonly hooks?: AwsHooks;
  /** Change of each function before the start. */
  readonly change?: (lambda: LambdaFunction) => LambdaFunction;
}

/** A registry whose functions run only in exercises: neither streams, queues nor schedules invoke them. */
export interface ExercisedRegistry {
  readonly registry: TestRegistry;
  /** Uses every permission of a function, on a new pending package. Resolves to the statuses of the answers. */
  exercise(id: RegistryFunctionId): Promise<number[]>;
  close(): Promise<void>;
}

export const startExercised = async ({
  change = (lambda) => lambda,
  ...options
}: ExercisedOptions = {}): Promise<ExercisedRegistry> => {
  const [osv, origin] = await Promise.all([startOsvServer(), startOriginServer()]);
  const prepare = (model: StackModel): StackModel => ({
    ...model,
    eventSources: {},
    queueSources: {},
    functions: Object.fromEntries(
      Object.entries(model.functions).map(([id, lambda]) => [id, trustingTests(change(lambda))]),
    ),
  });
  const registry = await TestRegistry.start({
    ...{ osvUrl: osv.url, originUrl: origin.url, policy: exercisedPolicy },
    ...{ followUpdates: 'minor', gateRequests: true, signDecisions: true },
    clock: new FunctionClock(),
    ...options,
    transform: prepare,
  });
  let count = 0;
  return {
    registry,
    exercise: async (id) => {
      count += 1;
      const name = `subject-${count}`;
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
      return exercises[id](registry, name, osv, origin);
    },
    close: async () => {
      await registry.close();
      await Promise.all([osv.close(), origin.close()]);
    },
  };
};

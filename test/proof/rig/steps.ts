/** Gives the proxy the step of a call, so that the call's fault depends on the seed alone. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { stepHeader } from './engine-proxy.ts';

interface Step {
  readonly name: string;
  calls: number;
}

const steps = new AsyncLocalStorage<Step>();

const hasHeaders = (request: unknown): request is { headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

dynamodb.middlewareStack.add(
  (next) => (args) => {
    const step = steps.getStore();
    if (step && hasHeaders(args.request)) {
      step.calls += 1;
      args.request.headers[stepHeader] = `${step.name} ${step.calls}`;
    }
    return next(args);
  },
  { step: 'build', name: 'nameStep' },
);

/** Runs a step with numbered engine calls. */
export const runStep = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  steps.run({ name, calls: 0 }, work);

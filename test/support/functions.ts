import type { LambdaFunction, StackModel } from '@package-registry/local-aws';
import { allRoutes } from '../../shared/api/all-routes.ts';
import type { TestRegistry } from './registry.ts';

/** A logical id contains the letters and digits of the construct's id. */
const logicalId = (id: string): RegExp => new RegExp(`^${id.replaceAll('-', '')}Function`);

const ofWorker = ({ functions }: StackModel, id: string): LambdaFunction | undefined =>
  Object.values(functions).find((candidate) => logicalId(id).test(candidate.id));

const ofRoute = ({ api, functions }: StackModel, id: string): LambdaFunction | undefined => {
  const route = allRoutes.find((candidate) => candidate.id === id);
  const found = api.routes.find(
    ({ method, path }) => method === route?.method && path === route.path,
  );
  return found && functions[found.functionId];
};

/** Returns the function of a route (through the gateway), or of a worker. */
export const functionOf = (model: StackModel, id: string): LambdaFunction => {
  const found = ofRoute(model, id) ?? ofWorker(model, id);
  if (!found) throw new Error(`The template has no function for ${id}`);
  return found;
};

/** Returns the queue whose construct's id has this ending. */
export const findQueue = ({ stack }: Pick<TestRegistry, 'stack'>, name: string) => {
  const found = Object.entries(stack.queues).find(([id]) =>
    new RegExp(`^Queues${name}[0-9A-F]{8}$`).test(id),
  );
  if (!found) throw new Error(`The template has no queue ${name}`);
  return found[1];
};

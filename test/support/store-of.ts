import { pointStoreAt } from './engine.ts';
import type { TestRegistry } from './registry.ts';

/** Connects the store in this process to the tables of a test registry, for writes that no request can make. */
export const useStoreOf = ({ stack }: TestRegistry): void => {
  const { endpoints, credentials, tables } = stack;
  pointStoreAt({ endpoint: endpoints.aws, region: 'us-east-1', credentials });
  Object.assign(process.env, tables);
};

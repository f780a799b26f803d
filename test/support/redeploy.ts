import { deployCustomResources, readStack } from '@package-registry/local-aws';
import { inject } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import type { TestRegistry } from './registry.ts';

/** Deploys the template's custom resources again, optionally with another license policy. */
export const redeploy = ({ stack }: TestRegistry, policy?: unknown): Promise<void> => {
  const customResources = Object.fromEntries(
    Object.entries(readStack(inject('assembly'), { goWithout }).customResources).map(
      ([id, resource]) => {
        const { properties } = resource;
        const changed = policy === undefined ? {} : { policy: JSON.stringify(policy) };
        return [id, { ...resource, properties: { ...properties, ...changed } }];
      },
    ),
  );
  return deployCustomResources({
    model: { ...stack.model, customResources },
    isNew: false,
    invoke: stack.invoke,
  });
};

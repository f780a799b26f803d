import { deployCustomResources, readStack } from '@package-registry/local-aws';
import { inject } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import type { TestRegistry } from './registry.ts';

type Properties = Readonly<Record<string, unknown>>;

/** What differs from the properties of custom resources in the template. */
interface Changes {
  /** The type of the resources that are updated; absent: all of them. */
  readonly type?: string;
  /** The assembly with the template; absent: that of all tests. */
  readonly assembly?: string;
  readonly now?: (properties: Properties) => Properties;
  /** The properties of the deployment before. */
  readonly before?: (properties: Properties) => Properties;
}

const asInTemplate = (properties: Properties): Properties => properties;

/** Updates the template's custom resources. */
export const redeployWith = (
  { stack }: TestRegistry,
  { type, assembly = inject('assembly'), now = asInTemplate, before = asInTemplate }: Changes,
): Promise<void> => {
  const known = readStack(assembly, { goWithout }).customResources;
  const customResources = Object.fromEntries(
    Object.entries(known)
      .filter(([, resource]) => type === undefined || resource.type === type)
      .map(([id, resource]) => [id, { ...resource, properties: now(resource.properties) }]),
  );
  return deployCustomResources({
    model: { ...stack.model, customResources },
    deployed: {
      find: (id) => before(known[id]?.properties ?? {}),
      save: () => Promise.resolve(),
    },
    invoke: stack.invoke,
  });
};

/** Deploys the template's custom resources again, optionally with another license policy. */
export const redeploy = (registry: TestRegistry, policy?: unknown): Promise<void> =>
  redeployWith(registry, {
    now: (properties) =>
      policy === undefined || !('policy' in properties)
        ? properties
        : { ...properties, policy: JSON.stringify(policy) },
  });

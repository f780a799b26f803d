import { toSkeleton } from '../packages/look-alikes.ts';

/** Name of the registry itself, which submits updates and recalls versions. */
export const registryActor = 'registry';

/** Beginning of the names of policy rules as deciders. */
export const ruleActorPrefix = 'policy:';

const reserved: readonly string[] = [registryActor, 'policy'].map(toSkeleton);

/** True if a name could be mistaken for the registry, for its policy or for a rule of the policy. */
export const isReservedName = (name: string): boolean => {
  const skeleton = toSkeleton(name);
  return reserved.includes(skeleton) || skeleton.startsWith(toSkeleton(ruleActorPrefix));
};

import { toSkeleton } from '../packages/look-alikes.ts';
import { registryActor, ruleActorPrefix } from './registry-actor.ts';

const reserved: readonly string[] = [registryActor, 'policy'].map(toSkeleton);

/** True if a name could be mistaken for the registry, for its policy or for a rule of the policy. */
export const isReservedName = (name: string): boolean => {
  const skeleton = toSkeleton(name);
  return reserved.includes(skeleton) || skeleton.startsWith(toSkeleton(ruleActorPrefix));
};

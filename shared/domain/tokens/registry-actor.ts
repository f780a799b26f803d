import { toSkeleton } from '../packages/look-alikes.ts';

/** Name of the registry itself, which submits updates and recalls versions. */
export const registryActor = 'registry';

/** True if a name could be mistaken for the registry itself. */
export const looksLikeRegistry = (name: string): boolean =>
  toSkeleton(name) === toSkeleton(registryActor);

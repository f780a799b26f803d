import type { Resolver } from './requested.ts';
import type { Resolve } from './resolution.ts';
import { resolveWithMaven } from './resolve-maven.ts';
import { resolveWithNpm } from './resolve-npm.ts';
import { resolveWithUv } from './resolve-uv.ts';

/** The resolution of each package manager. */
export const resolveRequest: Readonly<Record<Resolver, Resolve>> = {
  npm: resolveWithNpm,
  uv: resolveWithUv,
  maven: resolveWithMaven,
};

import type { Ecosystem } from './ecosystem.ts';

/**
 * Returns the major version: the first number, without leading zeros. Returns undefined if there is none, and for image
 * tags.
 */
export const findMajor = (ecosystem: Ecosystem, version: string): string | undefined =>
  ecosystem === 'docker' ? undefined : /\d+/.exec(version)?.[0].replace(/^0+(?=\d)/, '');

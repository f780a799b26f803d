import type { Ecosystem } from './ecosystem.ts';

/** The first number of a version, without leading zeros; undefined where it has none, and for tags of images. */
export const findMajor = (ecosystem: Ecosystem, version: string): string | undefined =>
  ecosystem === 'docker' ? undefined : /\d+/.exec(version)?.[0].replace(/^0+(?=\d)/, '');

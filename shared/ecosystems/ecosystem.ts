/** The ecosystems whose packages are files at hosts of their own, which a gate serves. */
export const fileEcosystems = ['pypi', 'npm', 'maven'] as const;

export type FileEcosystem = (typeof fileEcosystems)[number];

/** All ecosystems. Lists, filters, settings, completion and documents follow from this list, or do not compile. */
export const ecosystems = [...fileEcosystems, 'docker'] as const;

/** Where a package is published. Names and versions compare by the rules of their ecosystem. */
export type Ecosystem = (typeof ecosystems)[number];

/** Builds a record with one value for each of some ecosystems. */
export const byEcosystem = <E extends Ecosystem, T>(
  some: readonly E[],
  make: (ecosystem: E) => T,
): Readonly<Record<E, T>> =>
  Object.fromEntries(some.map((one) => [one, make(one)])) as Record<E, T>;

/** Returns true if packages of the ecosystem are files. Images are not: their repository is a part of their name. */
export const isFileEcosystem = (ecosystem: Ecosystem): ecosystem is FileEcosystem =>
  ecosystem !== 'docker';

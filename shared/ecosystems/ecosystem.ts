/** Ecosystems whose packages are files on the ecosystem's own hosts. The gate serves these files. */
export const fileEcosystems = ['pypi', 'npm', 'maven'] as const;

export type FileEcosystem = (typeof fileEcosystems)[number];

/** All ecosystems. Lists, filters, settings, completion and documents derive from this list, or do not compile. */
export const ecosystems = [...fileEcosystems, 'docker'] as const;

/** The ecosystem that a package is published in. Its rules decide which names and versions are equal. */
export type Ecosystem = (typeof ecosystems)[number];

/** Builds a record with one value for each of the given ecosystems. */
export const byEcosystem = <E extends Ecosystem, T>(
  some: readonly E[],
  make: (ecosystem: E) => T,
): Readonly<Record<E, T>> =>
  Object.fromEntries(some.map((one) => [one, make(one)])) as Record<E, T>;

/** True if packages of the ecosystem are files. Images are not files: the name of an image includes its repository. */
export const isFileEcosystem = (ecosystem: Ecosystem): ecosystem is FileEcosystem =>
  ecosystem !== 'docker';

export const ecosystems = ['pypi', 'npm', 'maven', 'docker'] as const;

/** Where a package is published. Names and versions compare by the rules of their ecosystem. */
export type Ecosystem = (typeof ecosystems)[number];

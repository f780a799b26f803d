export const ecosystems = ['pypi', 'npm', 'maven', 'docker'] as const;

/** Package ecosystem. It defines the equality of names and versions. */
export type Ecosystem = (typeof ecosystems)[number];

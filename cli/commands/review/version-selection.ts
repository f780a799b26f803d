import type { PackageListItem } from '../../../shared/api/schemas/package.ts';

/** The path and query that select this one version. */
export const selectVersion = ({ name, ecosystem, version }: PackageListItem) => ({
  path: { name },
  query: { ecosystem, version },
});

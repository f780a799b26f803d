/** Number of projects that use a version; a lower bound if `projects_at_least`. */
interface ProjectCount {
  readonly projects: number;
  readonly projects_at_least: boolean;
}

/** Projects that use a version, of which the first are named. */
export interface Uses extends ProjectCount {
  readonly used_by: readonly { readonly project: string; readonly owner: string | null }[];
}

/** Maximum number of owners that a description names. */
const maxNamed = 3;

/** Returns the number of projects in words: `12 projects`, `at least 900 projects`. */
export const describeProjectCount = ({ projects, projects_at_least }: ProjectCount): string => {
  const count = `${projects.toLocaleString('en')} ${projects === 1 ? 'project' : 'projects'}`;
  return projects_at_least ? `at least ${count}` : count;
};

/**
 * Returns the number of projects and their first owners: `3 projects (payments@example.com, shop-team)`. The name of a project
 * replaces a missing owner.
 */
export const describeUses = (uses: Uses): string => {
  const owners = [...new Set(uses.used_by.map(({ project, owner }) => owner ?? project))];
  const isCut = owners.length > maxNamed || uses.projects > uses.used_by.length;
  const names = [...owners.slice(0, maxNamed), ...(isCut ? ['…'] : [])].join(', ');
  return `${describeProjectCount(uses)}${names && ` (${names})`}`;
};

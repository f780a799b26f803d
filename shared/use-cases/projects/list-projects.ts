import type { Project, ProjectPage } from '../../api/schemas/project.ts';
import type { ProjectsQuery } from '../../api/schemas/projects-query.ts';
import { maxLimit } from '../../api/schemas/query.ts';
import type { ProjectItem } from '../../storage/projects/project-items.ts';
import { listProjects as readProjects } from '../../storage/projects/projects.ts';

const showProject = ({ k: project, owner, refs, recorded_at }: ProjectItem): Project => ({
  ...{ project, owner, refs, recorded_at },
});

/**
 * Returns a page of projects by name. With an owner, it reads the next 1,000 projects and returns the projects of this owner. A
 * page may be empty although another one follows.
 */
export const listProjects = async ({
  owner,
  after,
  limit,
}: ProjectsQuery): Promise<ProjectPage> => {
  const page = { after, limit: owner === undefined ? limit : maxLimit };
  const { items, next } = await readProjects(page);
  const found = items.filter((project) => owner === undefined || project.owner === owner);
  const shown = found.slice(0, limit);
  const last = found.length > shown.length ? shown.at(-1) : next && items.at(-1);
  return { projects: shown.map(showProject), next: last?.k ?? null };
};

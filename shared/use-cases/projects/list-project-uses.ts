import type {
  ProjectUses,
  ProjectUsesRequest,
  VersionUses,
} from '../../api/schemas/project-uses.ts';
import { listCandidateEcosystems, type PackageId } from '../../domain/packages/package-id.ts';
import { findProjects } from '../../storage/projects/projects.ts';
import { listUses, type UsePage } from '../../storage/projects/use-rows.ts';
import { runInParallel } from '../../util/in-parallel.ts';

/** Maximum number of uses that are read for one version. */
const mostUses = 100;
/** Maximum number of projects that the answer names for one version. */
const mostNamed = 5;
const parallelReads = 10;

const noUses: UsePage = { uses: [], hasMore: false };

/** Returns the first uses of a version; none of a version that its ecosystem does not allow. */
const readUses = async (id: PackageId): Promise<UsePage> =>
  listCandidateEcosystems(id).length > 0 ? await listUses(id, { limit: mostUses }) : noUses;

/** Returns the names of the projects, each once, in the order of the uses. */
const listNames = ({ uses }: UsePage): string[] => [...new Set(uses.map(({ project }) => project))];

/**
 * Returns the number of projects that use each version, and the first of them with their owners. It takes one query of at
 * most 100 rows a version, and one read for each named project. Reads are eventually consistent.
 */
export const listProjectUses = async ({ packages }: ProjectUsesRequest): Promise<ProjectUses> => {
  const pages = await runInParallel(packages, parallelReads, async (id) => {
    const page = await readUses(id);
    return { id, names: listNames(page), hasMore: page.hasMore };
  });
  const named = pages.flatMap(({ names }) => names.slice(0, mostNamed));
  const projects = await findProjects([...new Set(named)]);
  const showVersion = ({ id, names, hasMore }: (typeof pages)[number]): VersionUses => ({
    ...{ ...id, projects: names.length, projects_at_least: hasMore },
    // A project that was removed meanwhile is left out.
    used_by: names.slice(0, mostNamed).flatMap((project) => {
      const found = projects.get(project);
      return found ? [{ project, owner: found.owner }] : [];
    }),
  });
  return { packages: pages.map(showVersion) };
};

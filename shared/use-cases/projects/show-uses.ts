import type { PackageProjects, ProjectUse } from '../../api/schemas/project.ts';
import type { PackageProjectsQuery } from '../../api/schemas/projects-query.ts';
import {
  listCandidateEcosystems,
  type PackageName,
  type PackageSelector,
  toPackageKey,
} from '../../domain/packages/package-id.ts';
import { isPackageName } from '../../domain/packages/package-name.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { shortenName } from '../../ecosystems/rules.ts';
import { findProjects } from '../../storage/projects/projects.ts';
import { findFullNames } from '../../storage/projects/short-names.ts';
import { countProjects, listUses, type Use } from '../../storage/projects/use-rows.ts';

const toKey = ({ ecosystem, name }: PackageName): string => toPackageKey(ecosystem, name);

/** Returns the cursor of a use: the keys of its version, its project and its ref. */
export const toUseCursor = (use: Use): string => `${toKey(use)}#${use.k}`;

/** Returns uses with the owners of their projects. A use whose project was removed meanwhile is left out. */
export const showUses = async (uses: readonly Use[]): Promise<ProjectUse[]> => {
  const projects = await findProjects([...new Set(uses.map(({ project }) => project))]);
  return uses.flatMap(({ k: _, ...use }) => {
    const project = projects.get(use.project);
    if (!project) return [];
    const { owner, recorded_at } = project;
    return [{ ...use, owner, recorded_at }];
  });
};

/** Packages that a name can mean; not complete if too many packages have it as their short name. */
interface NamedPackages {
  readonly packages: readonly PackageName[];
  readonly isComplete: boolean;
}

/** Returns the packages that a name can mean: of all ecosystems whose grammar allows it, and packages with this short name. */
const listPackages = async ({
  name,
  ecosystem,
  version,
}: PackageSelector): Promise<NamedPackages> => {
  const candidates = listCandidateEcosystems({ name, ecosystem, version });
  const shortened = ecosystems.filter(
    (one) =>
      shortenName[one] !== undefined &&
      !isPackageName(one, name) &&
      (ecosystem === undefined || ecosystem === one),
  );
  const full = await Promise.all(
    shortened.map(async (one) => ({ ...(await findFullNames(one, name)), ecosystem: one })),
  );
  return {
    packages: [
      ...candidates.map((one) => ({ ecosystem: one, name })),
      ...full.flatMap(({ names, ecosystem: one }) =>
        names.map((found) => ({ ecosystem: one, name: found })),
      ),
    ],
    isComplete: full.every((one) => one.isComplete),
  };
};

/** Returns the packages from that of a cursor on, the first one with the sort key after which its list continues. */
const continueAt = (packages: readonly PackageName[], cursor: string | undefined) => {
  if (cursor === undefined) return packages.map((of) => ({ of, after: undefined }));
  const at = packages.findIndex((of) => cursor.startsWith(`${toKey(of)}#`));
  return packages.slice(at < 0 ? packages.length : at).map((of, place) => ({
    of,
    after: place === 0 ? cursor.slice(toKey(of).length + 1) : undefined,
  }));
};

/**
 * Returns a page of the projects that use a package, in all ecosystems whose grammar allows the name unless one is given. The
 * artifact id of a Maven package suffices. The registry need not have the package.
 */
export const showPackageProjects = async (
  name: string,
  { ecosystem, version, after: cursor, limit }: PackageProjectsQuery,
): Promise<PackageProjects> => {
  const { packages, isComplete } = await listPackages({ name, ecosystem, version });
  const found: Use[] = [];
  let hasMore = false;
  for (const { of, after } of continueAt(packages, cursor)) {
    // At the limit, another package may have more.
    hasMore ||= found.length >= limit;
    if (hasMore) break;
    const page = await listUses({ ...of, version }, { after, limit: limit - found.length });
    found.push(...page.uses);
    hasMore = page.hasMore;
  }
  const last = found.at(-1);
  const [count, uses] = await Promise.all([
    countProjects(packages.map((of) => ({ ...of, version }))),
    showUses(found),
  ]);
  return {
    projects: count.projects,
    projects_at_least: !isComplete || !count.isComplete,
    uses,
    next: hasMore && last ? toUseCursor(last) : null,
  };
};

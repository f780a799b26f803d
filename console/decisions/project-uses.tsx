import type { PackageProjects } from '../../shared/api/schemas/project.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { type QueryState, useQuery } from '../api/use-query.ts';
import { type Session, useSession } from '../session/session.ts';

/** The number of uses that the console names. */
const shownUses = 10;

/** True if the caller may see who uses a version: any token, or a registry without tokens. */
export const canSeeProjects = ({ caller, isAuthDisabled }: Session): boolean =>
  caller !== null || isAuthDisabled;

/** Returns the query of the projects that use a version. Undefined as value for callers without a token. */
export const useProjectUses = (id: VersionId): QueryState<PackageProjects | null> => {
  const session = useSession();
  const isShown = canSeeProjects(session);
  const { ecosystem, name, version } = id;
  return useQuery(`${toKey(id)} ${isShown}`, async (signal) =>
    isShown
      ? session.api.listPackageProjects(
          { path: { name }, query: { ecosystem, version, limit: shownUses } },
          { signal },
        )
      : null,
  );
};

/** Groups uses by project, in their order. */
export const groupByProject = (uses: PackageProjects['uses']) =>
  [...Map.groupBy(uses, ({ project }) => project)].map(([project, [first, ...others]]) => ({
    project,
    owner: first?.owner ?? null,
    refs: first ? [first, ...others].map(({ ref }) => ref) : [],
  }));

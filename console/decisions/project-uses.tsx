import type { PackageProjects } from '../../shared/api/schemas/project.ts';
import { toKey, type VersionId } from '../address/address.ts';
import { type QueryState, useQuery } from '../api/use-query.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { Line } from '../parts/text.tsx';
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

/** Returns the number of projects in words: `12 projects`, `more than 900 projects`. */
export const countProjects = ({
  projects,
  projects_at_least,
}: Pick<PackageProjects, 'projects' | 'projects_at_least'>): string => {
  const count = `${projects.toLocaleString('en')} ${projects === 1 ? 'project' : 'projects'}`;
  return projects_at_least ? `at least ${count}` : count;
};

/** Groups uses by project, in their order. */
export const groupByProject = (uses: PackageProjects['uses']) =>
  [...Map.groupBy(uses, ({ project }) => project)].map(([project, [first, ...others]]) => ({
    project,
    owner: first?.owner ?? null,
    refs: first ? [first, ...others].map(({ ref }) => ref) : [],
  }));

/** Warns before a rejection which projects use the version. */
export const ProjectUsesNotice = ({ id }: { readonly id: VersionId }) => {
  const { value, error, reload } = useProjectUses(id);
  if (error) return <ErrorMessage error={error} retry={reload} />;
  if (!value || value.uses.length === 0) return null;
  const groups = groupByProject(value.uses);
  const isCut = value.projects_at_least || value.projects > groups.length;
  return (
    <p class="used-by-notice">
      Used by {countProjects(value)}:{' '}
      {groups.map(({ project, owner }, at) => (
        <span key={project}>
          {at > 0 && ', '}
          <Line text={project} />
          {owner && (
            <>
              {' ('}
              <Line text={owner} />
              {')'}
            </>
          )}
        </span>
      ))}
      {isCut && ' and more'}.
    </p>
  );
};

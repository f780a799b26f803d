import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { maxRefs } from '../../../shared/domain/projects/project-limits.ts';
import { groupBy } from '../../../shared/util/group-by.ts';
import type { ReportUsers } from './report.ts';

/** Projects that a report names. */
const maxListedProjects = 25;

/**
 * Loads the number of projects that use a version, and the first of them by name. The registry names no project to a caller
 * without a token, unless it has no tokens.
 */
export const loadUsedBy = async (
  client: RegistryClient,
  { name, ...version }: PackageId,
  { hasToken }: { readonly hasToken: () => boolean },
): Promise<ReportUsers> => {
  try {
    const query = { ...version, limit: maxListedProjects * maxRefs };
    const answer = await client.listPackageProjects({ path: { name }, query });
    const { projects, projects_at_least, uses } = answer;
    const first = [...groupBy(uses, ({ project }) => project)]
      .slice(0, maxListedProjects)
      .map(([project, own]) => ({
        ...{ project, owner: own[0]?.owner ?? null, refs: own.map(({ ref }) => ref) },
      }));
    return { list: { projects, projects_at_least, first }, missing: null };
  } catch (error) {
    const isRefused = error instanceof RequestError && error.code === 'missing_token';
    if (!isRefused || hasToken()) throw error;
    return { list: null, missing: 'token_required' };
  }
};

import type { VersionUses } from '../../shared/api/schemas/project-uses.ts';
import { describeProjectCount, describeUses } from '../../shared/domain/projects/describe-uses.ts';
import { maxAskedVersions } from '../../shared/domain/projects/project-limits.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { type QueryState, useQuery } from '../api/use-query.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { Line } from '../parts/text.tsx';
import { useStale } from '../parts/use-stale.ts';
import { useSession } from '../session/session.ts';
import { canSeeProjects } from './project-uses.tsx';

/** The uses of versions that projects use, by the keys of the versions. */
type UsesByKey = ReadonlyMap<string, VersionUses>;

/** The number of versions that a notice names. */
const maxNamed = 10;

/**
 * Loads the projects that use some versions, with one request for 100 versions. Callers without a token get none. Undefined
 * versions are not known yet.
 */
const useUsesQuery = (ids: readonly VersionId[] | undefined): QueryState<UsesByKey | undefined> => {
  const session = useSession();
  const asked = canSeeProjects(session) ? ids : [];
  return useQuery(`${asked?.map(toKey).join(' ')}`, async (signal) => {
    if (!asked) return undefined;
    const found = new Map<string, VersionUses>();
    for (const some of splitInto(maxAskedVersions, asked)) {
      const packages = some.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
      const answer = await session.api.listProjectUses({ body: { packages } }, { signal });
      for (const uses of answer.packages) if (uses.projects > 0) found.set(toKey(uses), uses);
    }
    return found;
  });
};

/** Returns the uses of listed versions; undefined until they are known. They stay while other versions load. */
export const useVersionUses = (ids: readonly VersionId[] | undefined): UsesByKey | undefined =>
  useStale(useUsesQuery(ids).value);

/** The number of projects that use a version, and their first owners; nothing if there are none. */
export const UsedByLabel = ({ uses }: { readonly uses: VersionUses | undefined }) =>
  uses ? <Line class="used-by-label" text={`Used by ${describeUses(uses)}`} /> : null;

/** The projects that use a version, with their owners: `2 projects: shop (payments), till`. */
const NamedProjects = ({ uses }: { readonly uses: VersionUses }) => (
  <>
    {describeProjectCount(uses)}:{' '}
    {uses.used_by.map(({ project, owner }, at) => (
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
    {uses.projects > uses.used_by.length && ' and more'}
  </>
);

/** Warns before a rejection which of the versions are used, and by which projects. */
export const UsesNotice = ({ ids }: { readonly ids: readonly VersionId[] }) => {
  const { value, error, reload } = useUsesQuery(ids);
  if (error) return <ErrorMessage error={error} retry={reload} />;
  const used = [...(value?.values() ?? [])];
  const [first] = used;
  if (!first) return null;
  if (ids.length === 1) {
    return (
      <p class="used-by-notice">
        Used by <NamedProjects uses={first} />.
      </p>
    );
  }
  return (
    <div class="used-by-notice">
      <p>
        Projects use {used.length} of {ids.length} versions:
      </p>
      <ul>
        {used.slice(0, maxNamed).map((uses) => (
          <li key={toKey(uses)}>
            <Line text={uses.name} /> <Line text={uses.version} />: <NamedProjects uses={uses} />
          </li>
        ))}
        {used.length > maxNamed && <li>and {used.length - maxNamed} more versions</li>}
      </ul>
    </div>
  );
};

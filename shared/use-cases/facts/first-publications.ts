import type { StoredChanges } from '../../api/schemas/changes.ts';
import type { PackageId, PackageName } from '../../domain/packages/package-id.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { ComparedReleases, FirstPublications } from '../review/compare-versions.ts';
import { hasSpareTime } from './spare-time.ts';

/**
 * Returns when the first version of a package was published upstream, ISO 8601; null if it is unknown. Undefined for one of the
 * organisation's own packages, which no request may name.
 */
export type FindFirstPublication = (id: PackageName) => Promise<string | null | undefined>;

/** Maximum number of added dependencies whose first publication is requested at one collection. */
const mostRequested = 20;
const parallelRequests = 4;

/** Time and dependencies of a comparison. */
export interface ComparisonContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** All first publications are unknown if omitted. */
  readonly findFirstPublication?: FindFirstPublication;
}

/**
 * Returns the first publications of added dependencies without an approved version, by their names in the changes. Those of an
 * earlier comparison are not requested again. Null if one could not be found, is above the limit, or if time
 * is short.
 */
export const findFirstPublications = async (
  { ecosystem }: PackageId,
  { added: { found: added } }: ComparedReleases,
  stored: StoredChanges | undefined,
  { deadline, findFirstPublication = () => Promise.resolve(null) }: ComparisonContext,
): Promise<FirstPublications> => {
  const known = new Map(
    stored?.changes.map(({ name, first_published_at }) => [name, first_published_at]),
  );
  const undecided = [...added].filter(
    ([, { status }]) => status !== 'approved' && status !== 'out_of_range',
  );
  const missing = undecided.filter(([name]) => !known.get(name)).slice(0, mostRequested);
  const requested = hasSpareTime(deadline) ? missing : [];
  const found = new Map(
    await runInParallel(requested, parallelRequests, async ([shown, { name }]) => {
      return [shown, await findFirstPublication({ ecosystem, name })] as const;
    }),
  );
  return new Map(
    undecided.flatMap(([name]) => {
      const first = known.get(name) ?? (found.has(name) ? found.get(name) : null);
      return first === undefined ? [] : [[name, first] as const];
    }),
  );
};

import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { PackageId } from './package-id.ts';
import { countShared, isWithinReach, type Reach, readNumbers } from './reach.ts';
import { isAvailable, isSettled, type ReleaseList, type VersionStatus } from './release-list.ts';
import type { UpstreamRelease } from './upstream-release.ts';
import { compareByEcosystem, findHighest, isPrerelease } from './version-order.ts';

/** What upstream and the registry have of a package, and how far an update may be. */
interface UpdateContext extends ReleaseList {
  readonly reach: Reach;
}

type Base = Pick<PackageId, 'ecosystem' | 'version'>;

/** Returns the releases within reach and above a version: no pre-releases, and neither withdrawn nor rejected ones. */
export const listUpdates = (
  { ecosystem, version }: Base,
  { releases, known, reach }: Omit<UpdateContext, 'settledBefore'>,
): readonly UpstreamRelease[] =>
  releases.filter(
    (release) =>
      isAvailable(ecosystem, release, known) &&
      isWithinReach(ecosystem, version, release.version, reach) &&
      compareByEcosystem(ecosystem, release.version, version) > 0 &&
      !isPrerelease(ecosystem, release.version),
  );

const findNewest = (
  ecosystem: Ecosystem,
  releases: readonly UpstreamRelease[],
): string | undefined =>
  findHighest(
    ecosystem,
    releases.map(({ version }) => version),
  );

/** Returns the newest update within one reach, and the newest settled one, as far as the registry lacks them. */
const chooseWithin = (base: Base, context: UpdateContext): string[] => {
  const { ecosystem, version } = base;
  const { known, reach, settledBefore } = context;
  const updates = listUpdates(base, context);
  const newest = findNewest(ecosystem, updates);
  const settled = findNewest(
    ecosystem,
    updates.filter((release) => isSettled(release, settledBefore)),
  );
  const near = [...known].filter(([other]) => isWithinReach(ecosystem, version, other, reach));
  /** Returns the comparisons of an update with the versions that have a status. */
  const compareWith = (update: string, wanted: VersionStatus): number[] =>
    near.flatMap(([other, status]) =>
      status === wanted ? [compareByEcosystem(ecosystem, update, other)] : [],
    );
  const isAbove = (update: string, status: VersionStatus): boolean =>
    compareWith(update, status).every((order) => order > 0);
  const isNew = (update: string): boolean =>
    isAbove(update, 'approved') &&
    ((update === newest && isAbove(update, 'pending')) ||
      (update === settled && !compareWith(update, 'pending').includes(0)));
  const candidates = [newest, settled].filter((update) => update !== undefined);
  return [...new Set(candidates)].filter(isNew);
};

/**
 * Returns the updates of a version that the registry lacks: at most four, of which the first one is the newest. An update
 * is a release within reach and above the version, but no pre-release, and neither withdrawn nor rejected.
 * - The newest update counts if all approved and pending versions within reach are below it.
 * - The newest settled update counts if all approved versions within reach are below it, and no pending one equals it.
 * - The same applies to patches. Some applications accept nothing else: `^0.9.1` and `~4.17.0` of npm, or a framework
 *   of which one minor version is in use.
 */
export const chooseUpdates = (base: Base, context: UpdateContext): string[] => {
  const within = new Set<Reach>([context.reach, 'patch']);
  return [...new Set([...within].flatMap((reach) => chooseWithin(base, { ...context, reach })))];
};

/** Number of leading numbers, including the epoch, that are equal in one release branch: `4.17` in `4.17.21`. */
const branchNumbers = 3;

/** True if a version has the fix that some releases introduced, one of them for each release branch. */
const hasFix = (ecosystem: Ecosystem, version: string, fixes: readonly string[]): boolean => {
  const shared = (fix: string) => {
    const [one, other] = [version, fix].map((text) => readNumbers(ecosystem, text));
    return one && other && countShared(one, other);
  };
  const isReached = (fix: string) => compareByEcosystem(ecosystem, fix, version) <= 0;
  const reached = findHighest(ecosystem, fixes.filter(isReached));
  const near = reached === undefined ? undefined : shared(reached);
  if (near === undefined || fixes.some((fix) => shared(fix) === undefined)) return false;
  return fixes.every((fix) => isReached(fix) || (shared(fix) ?? 0) < Math.min(near, branchNumbers));
};

/**
 * True if a version fixes each of some vulnerabilities, and there is at least one.
 *
 * A vulnerability can have one fixed version for each release branch. The version must be at or above a fixed version,
 * and share more leading numbers with that one than with any fixed version above it. Of the fixed versions 4.17.21 and 5.0.1,
 * 4.17.22 has the fix, but 5.0.0 does not. In one branch, such as 4.17, the highest fixed version counts. A vulnerability
 * without fixed versions, or with an unreadable one, is not fixed. A version above all fixed versions counts as fixed.
 */
export const fixesAll = (
  ecosystem: Ecosystem,
  version: string,
  findings: readonly { readonly fixed_versions: readonly string[] }[],
): boolean =>
  findings.length > 0 &&
  findings.every(({ fixed_versions }) => hasFix(ecosystem, version, fixed_versions));

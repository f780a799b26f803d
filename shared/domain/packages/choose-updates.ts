import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { PackageId } from './package-id.ts';
import { countShared, isWithinReach, type Reach, readNumbers } from './reach.ts';
import { isAvailable, isSettled, type ReleaseList } from './release-list.ts';
import type { UpstreamRelease } from './upstream-release.ts';
import { compareByEcosystem, findHighest, isPrerelease } from './version-order.ts';

/** What upstream and the registry have of a package, and how far an update may be. */
interface UpdateContext extends ReleaseList {
  readonly reach: Reach;
}

const toVersions = (releases: readonly UpstreamRelease[]): string[] =>
  releases.map(({ version }) => version);

/**
 * Returns the updates of a version that the registry lacks: at most two, of which the first one is the newest. An update
 * is a release within reach and above the version, but no pre-release, and neither withdrawn nor rejected.
 * - The newest update counts if all approved and pending versions within reach are below it.
 * - The newest settled update counts if all approved versions within reach are below it, and no pending one equals it.
 */
export const chooseUpdates = (
  { ecosystem, version }: Pick<PackageId, 'ecosystem' | 'version'>,
  { releases, known, reach, settledBefore }: UpdateContext,
): string[] => {
  const compare = (one: string, other: string) => compareByEcosystem(ecosystem, one, other);
  const isNear = (other: string) => isWithinReach(ecosystem, version, other, reach);
  const updates = releases.filter(
    (release) =>
      isAvailable(ecosystem, release, known) &&
      isNear(release.version) &&
      compare(release.version, version) > 0 &&
      !isPrerelease(ecosystem, release.version),
  );
  const near = [...known].filter(([other]) => isNear(other));
  const [approved, pending] = (['approved', 'pending'] as const).map((wanted) =>
    near.flatMap(([other, status]) => (status === wanted ? [other] : [])),
  );
  const isAbove = (update: string, others: readonly string[] = []) =>
    others.every((other) => compare(update, other) > 0);

  const newest = findHighest(ecosystem, toVersions(updates));
  const settled = findHighest(
    ecosystem,
    toVersions(updates.filter((release) => isSettled(release, settledBefore))),
  );
  const chosen = new Set<string>();
  if (newest !== undefined && isAbove(newest, approved) && isAbove(newest, pending)) {
    chosen.add(newest);
  }
  const isPending = (update: string) => pending?.some((other) => compare(update, other) === 0);
  if (settled !== undefined && isAbove(settled, approved) && !isPending(settled)) {
    chosen.add(settled);
  }
  return [...chosen];
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
 * A vulnerability can have one fixed version for each release branch. The version must be at or above a fixed version, and its
 * numbers must resemble that one more than any fixed version above it: of fixes in 4.17.21 and 5.0.1, the version 4.17.22
 * has one, but 5.0.0 has none. Of several fixed versions with the same first two numbers, the highest counts. A vulnerability without
 * fixed versions, or with an unreadable one, is not fixed. A version above all fixed versions counts as fixed.
 */
export const fixesAll = (
  ecosystem: Ecosystem,
  version: string,
  findings: readonly { readonly fixed_versions: readonly string[] }[],
): boolean =>
  findings.length > 0 &&
  findings.every(({ fixed_versions }) => hasFix(ecosystem, version, fixed_versions));

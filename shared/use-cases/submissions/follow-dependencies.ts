import type { RegistryStatus } from '../../domain/changes/registry-status.ts';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { NamedRange } from '../../domain/facts/release-details.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  listDeclaredDependencies,
  listOptionalDependencies,
} from '../../ecosystems/declared-dependencies.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { filterApprovedNames } from '../../storage/packages/approved-names.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { findRegistryMatches } from '../review/find-registry-matches.ts';

/** Statuses of dependencies that a submission may help. People rejected the others, or their status is unknown. */
const missing: readonly (RegistryStatus | undefined)[] = [
  'not_in_registry',
  'out_of_range',
  'pending',
];

/** Returns the dependencies of a release that the registry shall submit, as far as no approved version is in range. */
const listMissing = async (
  ecosystem: Ecosystem,
  { manifest, details }: CollectedRelease,
  now: Date,
): Promise<readonly NamedRange[]> => {
  const dependencies = [
    ...listDeclaredDependencies(manifest, details),
    ...listOptionalDependencies(manifest),
  ];
  const matches = await findRegistryMatches(ecosystem, dependencies, now);
  return (
    dependencies
      .filter((dependency) => missing.includes(matches.get(dependency)?.status))
      // A BOM chooses the version, so that none can be requested.
      .filter(({ range }) => ecosystem !== 'maven' || range !== '')
  );
};

/** Returns the versions that a Maven parent or BOM sets, of packages that the registry approved at any time. */
const listManaged = ({ managed = [] }: CollectedRelease): Promise<readonly NamedRange[]> =>
  filterApprovedNames(managed.map((one) => ({ ...one, ecosystem: 'maven' as const })));

/**
 * Returns requests to submit the dependencies of a version that the registry submitted itself, as far as no approved version
 * is in range. Those of an approved update are requested again, because a limit may have dropped them.
 *
 * Without a mandatory dependency, the version could not be installed. Without an optional one, npm would leave it out of
 * lockfiles without a message, and the package would not work on its platform. Builds with a new Maven parent need the
 * versions that it sets.
 */
export const findDependencyRequests = async (
  { ecosystem, name, version }: PackageId,
  { status, automatic, submitter, facts }: ReviewState,
  collected: CollectedRelease,
  now: Date,
): Promise<readonly SubmissionRequest[]> => {
  if (status === 'rejected' || !automatic || collected.facts.found !== 'yes') return [];
  // An install asks once: its token may be revoked by the next refresh.
  const isLater = status !== 'pending' || facts?.found === 'yes';
  if (automatic.fingerprint !== null && isLater) return [];
  const wanted = [
    ...(await listMissing(ecosystem, collected, now)),
    ...(await listManaged(collected)),
  ];
  const { fingerprint, root = null } = automatic;
  // Dependencies of an install count for the token that asked for it.
  const by = fingerprint === null ? null : { label: submitter, fingerprint };
  return wanted.map((dependency) => ({
    ...{ ecosystem, name: dependency.name, version: null, range: dependency.range },
    ...{ cause: 'dependency', of: { ecosystem, name, version }, fixes: [] },
    ...{ root: root ?? formatPackage({ ecosystem, name, version }), by },
  }));
};

import type { PackageId } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { KnownVersions } from '../../domain/packages/release-list.ts';
import { settledMs } from '../../domain/packages/settled.ts';
import type { UpstreamRelease } from '../../domain/packages/upstream-release.ts';
import { findBestMatch } from '../../domain/review/best-match.ts';
import type { Dependency } from '../../domain/review/dependency-issues.ts';
import { parseDependency } from '../../ecosystems/declared-dependencies.ts';
import type { OriginClient } from '../../ecosystems/origin-client.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { findKnownVersions } from './known-versions.ts';
import { type AgeRules, findSettledBefore } from './settled-before.ts';
import { NotSubmittedError } from './submission-limits.ts';

/** Request for one version. */
export type RequestedVersion = SubmissionRequest & Pick<PackageId, 'version'>;

/** Clients and rules by which the version for a request is chosen. */
export interface UpstreamSettings {
  readonly client: Pick<OriginClient, 'listReleases'>;
  readonly ages: AgeRules;
  readonly now: Date;
  /** Called before a request to an origin; it may refuse by an error. */
  readonly beforeOrigin?: () => Promise<void>;
}

const any: Pick<Dependency, 'range' | 'accepts'> = { range: '*', accepts: () => true };

/** Returns the versions that a request accepts. @throws {NotSubmittedError} if its range is unreadable */
const readWanted = ({ ecosystem, name, version, range }: SubmissionRequest): typeof any => {
  if (version !== null) {
    const own = canonicalizeVersion(ecosystem, version);
    return { range: version, accepts: (one) => canonicalizeVersion(ecosystem, one) === own };
  }
  if (range === null) return any;
  const dependency = parseDependency(ecosystem, { name, range });
  if (dependency) return dependency;
  throw new NotSubmittedError('The range of the dependency is not read');
};

/** True if the registry has a version that a request accepts, approved or pending. */
const isKnown = (known: KnownVersions, { accepts }: typeof any): boolean =>
  [...known].some(([version, status]) => status !== 'rejected' && accepts(version));

/**
 * Returns the releases of a package that was first published at least a week ago.
 * @throws {NotSubmittedError} if it is younger, or its age or the package is unknown upstream
 * @throws {Error} if its origin cannot be reached
 */
const listSettled = async (
  { ecosystem, name, cause }: SubmissionRequest,
  { client, now }: UpstreamSettings,
): Promise<readonly UpstreamRelease[]> => {
  const listed = await client.listReleases({ ecosystem, name });
  if (listed.outcome === 'unknown_name') throw new NotSubmittedError('The origin does not have it');
  if (listed.outcome === 'failed') {
    // The next install asks again.
    const isFinal = !listed.passing || cause === 'install';
    throw isFinal ? new NotSubmittedError(listed.reason) : new Error(listed.reason);
  }
  const { firstPublishedAt, releases } = listed;
  const isSettled = now.getTime() - Date.parse(firstPublishedAt ?? '') >= settledMs;
  if (isSettled) return releases;
  throw new NotSubmittedError(
    firstPublishedAt === null
      ? 'The origin does not show when it was first published'
      : `It was first published ${firstPublishedAt}, less than a week ago`,
  );
};

/**
 * Returns the version to submit for a request. An update names its version. For an install and a dependency, upstream must
 * have the version, and the package for a week; undefined if the registry has the version, or another one in range.
 * @throws {NotSubmittedError} if no version may be submitted
 */
export const chooseRequested = async (
  request: SubmissionRequest,
  settings: UpstreamSettings,
): Promise<RequestedVersion | undefined> => {
  const { ecosystem, version, cause } = request;
  if (version !== null && cause !== 'install') return { ...request, version };
  const { ages, now } = settings;
  const wanted = readWanted(request);
  const known = await findKnownVersions(request, now);
  if (isKnown(known, wanted)) return undefined;
  await settings.beforeOrigin?.();
  const releases = await listSettled(request, settings);
  const settledBefore = findSettledBefore(ages, ecosystem, now);
  const chosen = findBestMatch(ecosystem, wanted, { releases, known, settledBefore });
  if (chosen !== undefined) return { ...request, version: chosen };
  throw new NotSubmittedError('The origin has no version in range that may be submitted');
};

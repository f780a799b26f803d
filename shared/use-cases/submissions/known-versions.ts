import type { PackageName } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';

/** Number of versions of a package that are compared: those submitted last. */
const mostKnown = 100;

/** Returns the versions of a package in the registry with their statuses, by their canonical form. Makes one call. */
export const findKnownVersions = async (
  { ecosystem, name }: PackageName,
  now: Date,
): Promise<ReadonlyMap<string, Status>> => {
  const items = await findNewestVersions({ ecosystem, name }, mostKnown);
  return new Map(
    items.map((item) => [canonicalizeVersion(ecosystem, item.version), statusAt(item, now)]),
  );
};

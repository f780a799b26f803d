import type { Ecosystem } from '../domain/ecosystem.ts';
import { RegistryError } from '../domain/errors.ts';
import { statusAt } from '../domain/expiry.ts';
import { findNearestVersion } from '../domain/nearest-version.ts';
import type { PackageId } from '../domain/package-id.ts';
import { findNewestApproved } from '../store/packages/approved-versions.ts';
import { findHead, type Head } from '../store/reviews/heads.ts';

/** Among so many of the approved versions the nearest is looked for: one call. */
const versionsLookedAt = 100;

const describeStatus = (head: Head | undefined, now: Date): string => {
  if (!head) return 'was never submitted for review';
  const status = statusAt(head, now);
  if (status === 'rejected') return `is rejected${head.reason === null ? '' : `: ${head.reason}`}`;
  return head.status === 'approved'
    ? `is not approved any more: that ran out ${head.expires_at}`
    : 'waits for review';
};

/** Why a version is not handed on, which one would be, and what to do; in one line. */
export const refuseVersion = async (id: PackageId, now: Date): Promise<RegistryError> => {
  const { ecosystem, name, version } = id;
  const [head, approved] = await Promise.all([
    findHead(id),
    findNewestApproved(id, now, versionsLookedAt),
  ]);
  const nearest = findNearestVersion(ecosystem, version, approved);
  const parts = [
    `${name} ${version} ${describeStatus(head, now)}`,
    ...(nearest === undefined ? [] : [`approved: ${nearest}`]),
    ...(head ? [] : [`ask: registry submit ${ecosystem}:${name}@${version}`]),
  ];
  return new RegistryError('not_approved', parts.join('; ').replace(/\s+/g, ' '));
};

/** That no version of a package is handed on. */
export const refusePackage = (ecosystem: Ecosystem, name: string): RegistryError =>
  new RegistryError(
    'not_approved',
    `No version of ${name} is approved; ask: registry submit ${ecosystem}:${name}@VERSION`,
  );

/** That an approved version cannot be handed on, as nobody has asked its origin where its files are, or it did not say. */
export const refuseUnpinned = ({ name, version }: PackageId): RegistryError =>
  new RegistryError(
    'not_pinned_yet',
    `${name} ${version} is approved, but its origin has not said yet where its files are; try again in a few minutes`,
  );

/** That a file is not handed on that nobody could tell from another one. */
export const refuseUnchecked = ({ name, version }: PackageId): RegistryError =>
  new RegistryError(
    'not_pinned_yet',
    `${name} ${version} is approved, but its origin names no checksum of its file, without which it is not handed on`,
  );

/** That the file of an approved version lies where files may not come from. */
export const refusePlace = ({ name, version }: PackageId): RegistryError =>
  new RegistryError(
    'not_approved',
    `${name} ${version} is approved, but its file lies at a host that is not its registry's: whoever runs this registry can allow that with gateOrigins`,
  );

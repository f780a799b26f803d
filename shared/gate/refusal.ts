import { dropHiddenCharacters } from '../domain/characters.ts';
import { RegistryError } from '../domain/errors.ts';
import { hasExpired, statusAt } from '../domain/expiry.ts';
import { findNearestVersion } from '../domain/nearest-version.ts';
import type { PackageId } from '../domain/package-id.ts';
import { findNewestApproved } from '../store/packages/approved-versions.ts';
import { findHead, type Head } from '../store/reviews/heads.ts';

/** Among so many of the approved versions the nearest is looked for: one call. */
const versionsLookedAt = 100;

const describeStatus = (head: Head | undefined, now: Date): string => {
  if (!head) return 'was never submitted for review';
  const status = statusAt(head, now);
  if (status === 'rejected')
    return `is rejected${head.reason === null ? '' : `: ${head.reason.replace(/[.\s]+$/, '')}`}`;
  if (head.status !== 'approved') return 'waits for review';
  return hasExpired(head, now)
    ? `is not approved any more: that ran out ${head.expires_at}`
    : 'was approved just now: try again';
};

/** As much as a terminal shows in some lines. */
const longestRefusal = 1000;

/** Clients print it as it is: on one line, without what would change how a terminal shows the rest. */
export const toOneLine = (text: string): string => {
  const line = dropHiddenCharacters(text.replace(/[\s\p{Cc}]+/gu, ' '));
  return line.length > longestRefusal ? `${line.slice(0, longestRefusal)}...` : line;
};

/** Why a version is not handed on, which one would be, and what to do; in one line. */
export const refuseVersion = async (id: PackageId, now: Date): Promise<RegistryError> => {
  const { ecosystem, name, version } = id;
  const [head, approved] = await Promise.all([
    findHead(id, { eventual: true }),
    findNewestApproved(id, now, versionsLookedAt),
  ]);
  const nearest = findNearestVersion(ecosystem, version, approved);
  const parts = [
    `${name} ${version} ${describeStatus(head, now)}`,
    ...(nearest === undefined ? [] : [`approved: ${nearest}`]),
    ...(head ? [] : [`ask: registry submit ${ecosystem}:${name}@${version}`]),
  ];
  return new RegistryError('not_approved', toOneLine(parts.join('; ')));
};

/** Why no version of a package is handed on: by none that is approved, or by the newest of them. */
export const explainPackage = (
  { ecosystem, name }: Pick<PackageId, 'ecosystem' | 'name'>,
  newest: PackageId | undefined,
): string =>
  newest
    ? refuseUnpinned(newest).message
    : `No version of ${name} is approved; ask: registry submit ${ecosystem}:${name}@VERSION`;

/** That no version of a package is handed on. */
export const refusePackage = (
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  newest: PackageId | undefined,
): RegistryError =>
  new RegistryError(newest ? 'not_pinned_yet' : 'not_approved', explainPackage(id, newest));

/** That an approved version cannot be handed on, as nobody has asked its origin where its files are, or it did not say. */
export const refuseUnpinned = ({ name, version }: PackageId): RegistryError =>
  new RegistryError(
    'not_pinned_yet',
    `${name} ${version} is approved, but its origin has not said where its files are: if that was just now, try again in a few minutes; else registry show ${name} --evidence says what it said`,
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

/** That a file is not handed on which the version did not have when it was approved. */
export const refuseFile = ({ name, version }: PackageId, file: string): RegistryError =>
  new RegistryError(
    'not_approved',
    toOneLine(
      `${file} is none of the files of ${name} ${version} that were there when it was approved`,
    ),
  );

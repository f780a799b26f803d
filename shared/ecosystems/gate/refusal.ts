import { RegistryError } from '../../domain/errors.ts';
import { findNearestVersion } from '../../domain/packages/nearest-version.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { hasExpired, statusAt } from '../../domain/review/expiry.ts';
import { findNewestApproved } from '../../storage/packages/approved-versions.ts';
import { findNewestVersion } from '../../storage/packages/find-versions.ts';
import { findReviewState, type ReviewState } from '../../storage/reviews/review-state.ts';
import { dropHiddenCharacters } from '../../util/characters.ts';

type PackageName = Pick<PackageId, 'ecosystem' | 'name'>;

/** Among so many of the approved versions the nearest is looked for: one call. */
const versionsLookedAt = 100;

/** As far as a version's item and what reviews know of it say why it is not approved. */
type Standing = Pick<ReviewState, 'status' | 'reason' | 'expires_at'> &
  Partial<Pick<ReviewState, 'held_by' | 'evaluate_at'>>;

/** Says who or what a pending version waits for. */
const describeWait = ({ held_by, evaluate_at }: Standing): string => {
  if (held_by) return `waits for manual review (rule ${held_by})`;
  return evaluate_at
    ? `waits for review: rules look at it again ${evaluate_at}`
    : 'waits for review';
};

const describeStatus = (standing: Standing | undefined, now: Date): string => {
  if (!standing) return 'was never submitted for review';
  const { reason, expires_at } = standing;
  const status = statusAt(standing, now);
  if (status === 'rejected')
    return `is rejected${reason === null ? '' : `: ${reason.replace(/[.\s]+$/, '')}`}`;
  if (standing.status !== 'approved') return describeWait(standing);
  return hasExpired(standing, now)
    ? `is not approved any more: its approval expired ${expires_at}`
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
    findReviewState(id, { eventual: true }),
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

/** Says why no version of a package is handed on: by its newest version, or how to ask for one where there is none. */
const explainUnapproved = async (id: PackageName, now: Date): Promise<string> => {
  const { ecosystem, name } = id;
  const item = await findNewestVersion(id);
  const next = item
    ? `${name} ${item.version} ${describeStatus(item, now)}`
    : `ask: registry submit ${ecosystem}:${name}@VERSION`;
  return toOneLine(`No version of ${name} is approved; ${next}`);
};

/**
 * Returns the reason why no version of a package is handed on: its newest approved version is not pinned, or none is
 * approved, which takes one call.
 */
export const explainPackage = async (
  id: PackageName,
  newest: PackageId | undefined,
  now: Date,
): Promise<string> => (newest ? refuseUnpinned(newest).message : explainUnapproved(id, now));

/** Returns the error that no version of a package is handed on. */
export const refusePackage = async (
  id: PackageName,
  newest: PackageId | undefined,
  now: Date,
): Promise<RegistryError> =>
  new RegistryError(
    newest ? 'not_pinned_yet' : 'not_approved',
    await explainPackage(id, newest, now),
  );

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

import { RegistryError } from '../../domain/errors.ts';
import type { FileRules } from '../../domain/packages/file-places.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import { findNearestVersion } from '../../domain/packages/nearest-version.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import type { PackageId, PackageName } from '../../domain/packages/package-id.ts';
import { describeWait } from '../../domain/policy/next-evaluation.ts';
import {
  type AwaitedCheck,
  listAwaitedByRules,
  type OwnInquiries,
} from '../../domain/policy/readiness.ts';
import { hasExpired, statusAt } from '../../domain/review/expiry.ts';
import { explainFreeze, type Freeze, isFrozen } from '../../domain/review/freeze.ts';
import { findNewestVersion } from '../../storage/packages/find-versions.ts';
import { findNewestServed } from '../../storage/reviews/freeze.ts';
import { findReviewState, type ReviewState } from '../../storage/reviews/review-state.ts';
import { dropHiddenCharacters } from '../../util/characters.ts';

/** Number of approved versions among which the nearest is searched. One call reads them. */
const versionsLookedAt = 100;

/** The time of a refusal, the freeze in force, and the automatic checks that a pending version may wait for. */
export interface GateMoment {
  readonly now: Date;
  readonly freeze: Freeze | undefined;
  readonly inquiries: OwnInquiries;
}

/** Settings of the gate for one ecosystem, and the time of a request. */
export interface GateContext extends GateMoment {
  /** Allowed locations of files. */
  readonly files: FileRules;
  /** The organisation's own packages, which the gate does not serve. */
  readonly own: readonly OwnPackages[];
}

/** Fields of a version's item or review state that explain why the version is not approved. */
type Standing = Pick<ReviewState, 'status' | 'reason' | 'expires_at'> &
  Partial<Pick<ReviewState, 'held_by' | 'next_evaluation' | 'frozen_rule'>>;

const describeStatus = (
  standing: Standing | undefined,
  { now, freeze, frozen }: Pick<GateMoment, 'now' | 'freeze'> & { readonly frozen: boolean },
  awaited: readonly AwaitedCheck[] = [],
): string => {
  if (!standing) return 'was never submitted for review';
  const { reason, expires_at } = standing;
  const status = statusAt(standing, now);
  if (status === 'rejected')
    return `is rejected${reason === null ? '' : `: ${reason.replace(/[.\s]+$/, '')}`}`;
  if (standing.status !== 'approved') {
    const { held_by = null, next_evaluation = null, frozen_rule = null } = standing;
    return describeWait({ held_by, next_evaluation, frozen_rule }, { awaited, freeze });
  }
  if (hasExpired(standing, now)) {
    return `is not approved any more: its approval expired ${expires_at}`;
  }
  return frozen ? 'is approved' : 'was approved just now: try again';
};

/** Length limit of a refusal, in characters: some lines in a terminal. */
const longestRefusal = 1000;

/**
 * Returns the text on one line, without hidden or control characters, cut to the length limit. Clients print the text
 * unchanged, so that such characters could change the terminal's display.
 */
export const toOneLine = (text: string): string => {
  const line = dropHiddenCharacters(text.replace(/[\s\p{Cc}]+/gu, ' '));
  return line.length > longestRefusal ? `${line.slice(0, longestRefusal)}...` : line;
};

/** Returns the refusal of a version on one line: the reason, the nearest approved version and the next step. */
export const refuseVersion = async (
  id: PackageId,
  { now, freeze, inquiries }: GateMoment,
): Promise<RegistryError> => {
  const { ecosystem, version } = id;
  const [head, approved] = await Promise.all([
    findReviewState(id, { eventual: true }),
    findNewestServed(id, { now, freeze }, versionsLookedAt),
  ]);
  const nearest = findNearestVersion(ecosystem, version, approved);
  const awaited = head ? listAwaitedByRules({ ecosystem, ...head }, inquiries) : [];
  const frozen = isFrozen(freeze, id, head);
  const parts = [
    `${formatPackage(id)} ${describeStatus(head, { now, freeze, frozen }, awaited)}`,
    ...(frozen ? [explainFreeze(freeze, id)] : []),
    ...(nearest === undefined ? [] : [`approved: ${nearest}`]),
  ];
  return new RegistryError(
    frozen ? 'frozen' : 'not_approved',
    toOneLine(parts.join('; ')),
    head ? { explainedBy: id } : { submittable: id },
  );
};

/**
 * Returns the refusal with the status of the newest version or, without versions, how to submit one. Costs one call, and
 * another one during a freeze or for a pending version: its review state has what it waits for, and until when.
 */
const refuseUnapproved = async (
  id: PackageName,
  { now, freeze, inquiries }: GateMoment,
): Promise<RegistryError> => {
  const { ecosystem, name } = id;
  const item = await findNewestVersion(id);
  const isInState = item && (freeze || item.status === 'pending');
  const head = isInState ? await findReviewState(item, { eventual: true }) : undefined;
  const awaited = head ? listAwaitedByRules({ ecosystem, ...head }, inquiries) : [];
  const frozen = isFrozen(freeze, id, head);
  const parts = [
    `No version of ${name} is ${frozen ? 'served' : 'approved'}`,
    ...(item
      ? [`${formatPackage(item)} ${describeStatus(head ?? item, { now, freeze, frozen }, awaited)}`]
      : []),
    ...(frozen ? [explainFreeze(freeze, id)] : []),
  ];
  return new RegistryError(
    frozen ? 'frozen' : 'not_approved',
    toOneLine(parts.join('; ')),
    item ? { explainedBy: item } : { submittable: id },
  );
};

/**
 * Returns the error for a package of which the gate serves no version. Either the newest approved version is not pinned,
 * or no version is approved, or a freeze refuses all approved versions.
 */
export const refusePackage = async (
  id: PackageName,
  newest: PackageId | undefined,
  moment: GateMoment,
): Promise<RegistryError> => (newest ? refuseUnpinned(newest) : refuseUnapproved(id, moment));

/**
 * Returns the error for an approved version without pinned files: the upstream fetch is still due, or it returned no
 * files.
 */
export const refuseUnpinned = (id: PackageId): RegistryError =>
  new RegistryError(
    'not_pinned_yet',
    `${formatPackage(id)} is approved, but its origin has not said where its files are: if that was just now, try again in a few minutes; else registry show ${formatPackage(id)} --evidence says what it said`,
    { explainedBy: id },
  );

/** Returns the error for a file without an upstream checksum: a different file would go unnoticed. */
export const refuseUnchecked = (id: PackageId): RegistryError =>
  new RegistryError(
    'not_pinned_yet',
    `${formatPackage(id)} is approved, but its origin names no checksum of its file, without which it is not handed on`,
    { explainedBy: id },
  );

/**
 * Returns normally unless a name is one of the organisation's own packages.
 * @throws {RegistryError} otherwise: a public package of that name would be another one (dependency confusion)
 */
export const refuseOwn = (own: readonly OwnPackages[], id: PackageName): void => {
  if (!isOwnPackage(own, id)) return;
  throw new RegistryError(
    'not_approved',
    toOneLine(
      `${formatPackage(id)} is one of your organisation's own packages, which this gate does not serve: get it from your own repository`,
    ),
  );
};

/** Returns the error for a file of an approved version on a host that the gate does not allow. */
export const refusePlace = (id: PackageId): RegistryError =>
  new RegistryError(
    'not_approved',
    `${formatPackage(id)} is approved, but its file lies at a host that is not its registry's: the operators of this registry can allow that with gateOrigins`,
  );

/** Returns the error for a file that the version did not have when it was approved. */
export const refuseFile = (id: PackageId, file: string): RegistryError =>
  new RegistryError(
    'not_approved',
    toOneLine(
      `${file} is none of the files of ${formatPackage(id)} that were there when it was approved`,
    ),
  );

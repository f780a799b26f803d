import { RegistryError, refuseInvalid } from '../errors.ts';
import { formatPackage } from '../packages/format-package.ts';
import { toSkeleton } from '../packages/look-alikes.ts';
import type { PackageId } from '../packages/package-id.ts';
import type { Actor } from '../tokens/actor.ts';
import type { Decision, Status } from './status.ts';

/** Token that submitted a version, if any. */
export interface SubmittedWith {
  readonly submitted_token_label: string | null;
  /** Internal: never part of a response. */
  readonly submitter_fingerprint?: string;
}

/** Version that a decision concerns. */
interface Reviewed extends PackageId, SubmittedWith {
  readonly status: Status;
}

/** Requested decision, with the fields that depend on its caller. */
interface ReviewerIntent {
  readonly actor: Actor;
  readonly to: Decision;
  readonly reason?: string | null | undefined;
  /** Four-eyes principle: submitters must not approve their own versions, and deciders need a token with a label. */
  readonly fourEyes: boolean;
  /** True for a submit-only token. It can only reject its own pending submissions. */
  readonly ownOnly: boolean;
}

/** True if the caller submitted the version: with the same token, or with another token of the same label. */
const isSubmitter = (
  { label, fingerprint }: Actor,
  { submitted_token_label, submitter_fingerprint }: SubmittedWith,
): boolean =>
  (label !== null && label === submitted_token_label) ||
  (fingerprint !== null && fingerprint === submitter_fingerprint);

/** True if the caller may be the submitter, also under a label that looks alike: one person can have several accounts. */
const looksLikeSubmitter = (actor: Actor, version: SubmittedWith): boolean =>
  isSubmitter(actor, version) ||
  (actor.label !== null &&
    version.submitted_token_label !== null &&
    toSkeleton(actor.label) === toSkeleton(version.submitted_token_label));

/** Checks that a submit-only token rejects its own pending submission, with a reason. */
const checkMistake = (version: Reviewed, { actor, reason }: ReviewerIntent): void => {
  const subject = formatPackage(version);
  if (!isSubmitter(actor, version) || version.status !== 'pending') {
    throw new RegistryError(
      'scope_missing',
      `${subject} cannot be rejected with this token. A token with only the scope submit can reject its own pending submissions. Use a token with the scope review.`,
    );
  }
  if ((reason ?? null) === null) {
    const message = `give a reason to reject ${subject}, which you submitted`;
    throw refuseInvalid('reason', message, 'reason_required');
  }
};

/**
 * Checks that a submission has a token with a label if four eyes are required. Without it, a self-approval could not be
 * detected.
 */
export const checkSubmitter = (
  { label }: Actor,
  { fourEyes }: Pick<ReviewerIntent, 'fourEyes'>,
): void => {
  if (!fourEyes || label !== null) return;
  throw new RegistryError(
    'label_required',
    'This registry requires four eyes, so submitters need a token with a label. Use a token with a label.',
  );
};

/**
 * Checks that a caller may make a decision on a version.
 * @throws {RegistryError} `scope_missing`, `reason_required`, `label_required` or `four_eyes`
 */
export const checkReviewer = (version: Reviewed, intent: ReviewerIntent): void => {
  const { actor, to, fourEyes, ownOnly } = intent;
  if (ownOnly) checkMistake(version, intent);
  if (!fourEyes) return;
  if (actor.label === null) {
    throw new RegistryError(
      'label_required',
      'This registry requires four eyes, so deciders need a token with a label. Use a token with a label.',
    );
  }
  if (to === 'approved' && looksLikeSubmitter(actor, version)) {
    throw new RegistryError(
      'four_eyes',
      `${formatPackage(version)} was submitted by ${version.submitted_token_label ?? actor.label}, so someone else must approve it. An override does not change this.`,
    );
  }
};

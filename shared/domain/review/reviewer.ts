import { RegistryError, refuseInvalid } from '../errors.ts';
import type { PackageId } from '../packages/package-id.ts';
import type { Actor } from '../tokens/actor.ts';
import type { Decision, Status } from './status.ts';

/** With which token a version was submitted, if with one. */
export interface SubmittedWith {
  readonly submitted_token_label: string | null;
  /** Kept with the version, and never answered. */
  readonly submitter_fingerprint?: string;
}

/** A version that somebody wants to decide on. */
interface Reviewed extends PackageId, SubmittedWith {
  readonly status: Status;
}

/** What somebody wants to decide, as far as it depends on who that is. */
interface ReviewerIntent {
  readonly actor: Actor;
  readonly to: Decision;
  readonly reason?: string | null | undefined;
  /** Whether nobody approves what they submitted, and everybody who decides has a label. */
  readonly fourEyes: boolean;
  /** Whether the token is for submissions alone: then only its own mistakes can be taken back with it. */
  readonly ownOnly: boolean;
}

/** Whether somebody submitted a version: with the same token, or with another one of the same label. */
const isSubmitter = (
  { label, fingerprint }: Actor,
  { submitted_token_label, submitter_fingerprint }: SubmittedWith,
): boolean =>
  (label !== null && label === submitted_token_label) ||
  (fingerprint !== null && fingerprint === submitter_fingerprint);

/** Refuses to take back what somebody else submitted, or what was decided, and to do so without saying why. */
const checkMistake = (version: Reviewed, { actor, reason }: ReviewerIntent): void => {
  const subject = `${version.name} ${version.version}`;
  if (!isSubmitter(actor, version) || version.status !== 'pending') {
    throw new RegistryError(
      'scope_missing',
      `This needs a token with the scope review. One with the scope submit can only reject what was submitted with it, while that is pending; ${subject} is not.`,
    );
  }
  if ((reason ?? null) === null) {
    const message = `say why ${subject}, which you submitted, is not wanted any more`;
    throw refuseInvalid('reason', message, 'reason_required');
  }
};

/** Refuses a submission of which nobody could tell later whether they approve it themselves. */
export const checkSubmitter = (
  { label }: Actor,
  { fourEyes }: Pick<ReviewerIntent, 'fourEyes'>,
): void => {
  if (!fourEyes || label !== null) return;
  throw new RegistryError(
    'label_required',
    'Here, whoever submits needs a token with a label, to be told from whoever approves.',
  );
};

/** Refuses whoever may not decide so on a version, whatever is known of it. */
export const checkReviewer = (version: Reviewed, intent: ReviewerIntent): void => {
  const { actor, to, fourEyes, ownOnly } = intent;
  if (ownOnly) checkMistake(version, intent);
  if (!fourEyes) return;
  if (actor.label === null) {
    throw new RegistryError(
      'label_required',
      'Here, whoever decides needs a token with a label, to be told from whoever submitted.',
    );
  }
  if (to === 'approved' && isSubmitter(actor, version)) {
    throw new RegistryError(
      'four_eyes',
      `${version.name} ${version.version} was submitted by ${actor.label}: somebody else has to approve it. An override does not change that.`,
    );
  }
};

import type { Caller } from '../../../shared/api/schemas/caller.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { toOneLine } from '../../output/text.ts';
import { findCredential } from '../../session/credentials.ts';
import type { Settings } from '../../session/settings.ts';
import { type ReviewSession, untilInterrupted } from './review-session.ts';

const describeCaller = ({ label, fingerprint, scopes }: Caller): string => {
  if (fingerprint === null) return 'where everyone may decide, since authentication is off';
  const whose = label === null ? `with the token ${fingerprint}, which` : `as ${label}, who`;
  return `${whose} may ${scopes.join(' and ')}`;
};

const nameSource = ({ credentials }: Settings): string => {
  const credential = findCredential(credentials);
  return credential ? `from ${credential.source}` : 'given';
};

/**
 * Shows the registry, the reviewer and the scopes of the token.
 * @throws {NegativeResultError} if the token may not review
 * @throws {RequestError} if the registry does not know the token
 */
export const checkReviewer = async (review: ReviewSession): Promise<void> => {
  const { client, settings, terminal } = review.session;
  const caller = await client.showCaller({}, untilInterrupted(review));
  if (!caller.scopes.includes('review')) {
    throw new NegativeResultError(
      toOneLine(
        `The token ${nameSource(settings)} may only ${caller.scopes.join(' and ')} at ${settings.url.value}.`,
      ),
      [
        'A review needs a token with the scope review: give it with registry login, REGISTRY_TOKEN or --token.',
      ],
    );
  }
  const text = `Reviewing at ${settings.url.value} ${describeCaller(caller)}.`;
  terminal.out.write(`${terminal.out.style('dim', toOneLine(text))}\n`);
};

import type { Caller } from '../../../shared/api/schemas/caller.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { toOneLine } from '../../output/text.ts';
import type { Settings } from '../../session/settings.ts';
import { type Desk, untilInterrupted } from './desk.ts';

const describeCaller = ({ label, fingerprint, scopes }: Caller): string => {
  if (fingerprint === null) return 'where anybody may decide, since authentication is off';
  const whose = label === null ? `with the token ${fingerprint}, which` : `as ${label}, who`;
  return `${whose} may ${scopes.join(' and ')}`;
};

const nameSource = ({ token }: Settings): string => (token ? `from ${token.source}` : 'given');

/**
 * Tells at the start which registry it is, as whom it is asked, and what they may do there.
 * @throws {NegativeResultError} if they may not decide
 * @throws {RequestError} if the registry does not know them
 */
export const introduce = async (desk: Desk): Promise<void> => {
  const { client, settings, terminal } = desk.session;
  const caller = await client.showCaller({}, untilInterrupted(desk));
  if (!caller.scopes.includes('review')) {
    throw new NegativeResultError(
      toOneLine(
        `The token ${nameSource(settings)} may ${caller.scopes.join(' and ')} at ${settings.url.value}, and not decide.`,
      ),
      [
        'review needs a token with the scope review: give it by registry login, REGISTRY_TOKEN or --token.',
      ],
    );
  }
  const told = `Reviewing at ${settings.url.value} ${describeCaller(caller)}.`;
  terminal.out.write(`${terminal.out.style('dim', toOneLine(told))}\n`);
};

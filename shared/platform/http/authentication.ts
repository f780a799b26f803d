import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from '../../api/route.ts';
import { RegistryError } from '../../domain/errors.ts';
import { anyone, type Caller } from '../../domain/tokens/actor.ts';
import { isFrozenList } from '../../domain/tokens/frozen-list.ts';
import type { TokenList } from '../../domain/tokens/token-list.ts';
import { findCaller } from '../auth/find-token.ts';
import type { IdTokenVerifier } from '../auth/id-token-verifier.ts';
import type { TokenLoader } from '../auth/token-loader.ts';
import { readHeader } from './gateway-request.ts';
import { checkScope } from './scope-check.ts';
import type { EndpointMiddleware } from './state.ts';

interface AuthenticationParts {
  readonly tokens: TokenLoader;
  /** Returns the verifier of ID tokens; undefined if the registry accepts none. */
  readonly findIdTokenVerifier: () => IdTokenVerifier | undefined;
  /** Returns true if an empty list refuses all callers instead of turning authentication off. */
  readonly required: () => boolean;
}

const refuseUnavailable = (): RegistryError =>
  new RegistryError(
    'tokens_unavailable',
    'The list of accepted tokens cannot be read at the moment, so nobody can be let in. Try again shortly.',
    { headers: { 'Retry-After': '10' } },
  );

const refuseMissing = (event: APIGatewayProxyEvent, takesIdTokens: boolean): RegistryError => {
  const hasOther = readHeader(event, 'Authorization').length > 0;
  const ignored = hasOther ? ' The Authorization header of this request is not used.' : '';
  const hint = takesIdTokens
    ? ' Or sign in with an account, and send its ID token as Bearer token.'
    : ignored;
  return new RegistryError(
    'missing_token',
    `The API key is missing. Provide a token in the X-API-Key header.${hint}`,
  );
};

const refuseWrong = (): RegistryError =>
  new RegistryError('invalid_token', 'The API key is invalid: it matches no accepted token.');

const refuseIdToken = (reason: string): RegistryError =>
  new RegistryError('invalid_token', `The ID token is invalid. ${reason}`);

const refuseFrozen = (): RegistryError =>
  new RegistryError(
    'holder_refused',
    'The operators stopped all writes: the token list is frozen. Try again after the end of the freeze.',
  );

/** An authenticated caller, and all labels of the token list. */
interface Identified {
  readonly caller: Caller;
  readonly labels: readonly string[];
}

const listLabels = ({ entries }: TokenList): readonly string[] => [
  ...new Set(entries.flatMap(({ label }) => label ?? [])),
];

/**
 * Returns the caller with an ID token, which the Authorization header has.
 * @throws {RegistryError} `invalid_token`, `holder_refused` or `issuer_unavailable`
 */
const identifyByIdToken = async (
  [authorization = '', ...others]: readonly string[],
  verifier: IdTokenVerifier,
  labels: readonly string[],
): Promise<Caller> => {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (token === undefined || others.length > 0) {
    throw refuseIdToken('Send one Authorization header, as Bearer with the ID token.');
  }
  const outcome = await verifier.verify(token, labels);
  switch (outcome.kind) {
    case 'accepted':
      return outcome.caller;
    case 'invalid':
      throw refuseIdToken(outcome.reason);
    case 'refused':
      throw new RegistryError(
        'holder_refused',
        `The ID token is valid, but its holder has no access. ${outcome.reason}`,
      );
    case 'unavailable':
      throw new RegistryError(
        'issuer_unavailable',
        'The keys of the issuer of the ID token cannot be loaded at the moment. Try again shortly.',
        { headers: { 'Retry-After': '10' } },
      );
  }
};

/**
 * Returns the caller of a request, by its token or else by its ID token. An unknown token triggers a refresh of the token list.
 * @throws {RegistryError} `tokens_unavailable`, `missing_token`, `invalid_token`, `holder_refused` or `issuer_unavailable`
 */
const identify = async (
  event: APIGatewayProxyEvent,
  { tokens, required, findIdTokenVerifier }: AuthenticationParts,
): Promise<Identified> => {
  const list = await tokens.current();
  if (!list) throw refuseUnavailable();
  if (list.entries.length === 0 && !required()) return { caller: anyone, labels: [] };
  const [value, ...others] = readHeader(event, 'X-API-Key');
  if (value === undefined) {
    const labels = listLabels(list);
    const verifier = findIdTokenVerifier();
    const authorizations = readHeader(event, 'Authorization');
    if (!verifier || authorizations.length === 0)
      throw refuseMissing(event, verifier !== undefined);
    if (isFrozenList(list)) throw refuseFrozen();
    return { caller: await identifyByIdToken(authorizations, verifier, labels), labels };
  }
  const token = value.trim();
  if (others.length > 0 || token === '') throw refuseWrong();
  const found = await findCaller(list, token, tokens);
  if (!found) throw refuseWrong();
  return { caller: found.caller, labels: listLabels(found.list) };
};

/**
 * Returns the middleware that accepts only valid tokens and ID tokens with the scope of the route. While authentication is off,
 * it accepts all callers. It runs before the body is parsed.
 */
export const authentication = (route: Route, parts: AuthenticationParts): EndpointMiddleware => ({
  before: async ({ event, internal }) => {
    // Set before the scope check, so that the request log shows the label of a refused caller too.
    const { caller, labels } = await identify(event, parts);
    Object.assign(internal, { caller, labels });
    checkScope(route, caller);
  },
});

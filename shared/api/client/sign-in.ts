/** OpenID Connect for public clients, in the browser and in the command line. */
import * as oauth from 'oauth4webapi';
import type { SignInSettings } from '../../domain/identity/trusted-issuer.ts';

/** Tokens of a person who signed in. They are JSON, so that they can be kept. */
export interface SignInTokens {
  readonly idToken: string;
  /** Gets the next tokens; null if the provider gave none. */
  readonly refreshToken: string | null;
  /** When the ID token expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** A provider with its endpoints, and the client that signs in there. */
export interface SignInProvider {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly options: {
    readonly signal: () => AbortSignal;
    readonly [oauth.allowInsecureRequests]: boolean;
    readonly [oauth.customFetch]?: (url: string, init: object) => Promise<Response>;
  };
}

/** An authorization request whose answer is awaited. It is JSON, so that it outlives a page. */
export interface PendingSignIn {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** Time limit of one request to the provider, in milliseconds. */
const timeoutMs = 15_000;

/** Scopes besides `openid`, each requested if the provider has it. */
const wantedScopes = ['email', 'profile', 'groups', 'offline_access'];

const chooseScope = ({ server }: SignInProvider): string => {
  const { scopes_supported: known = ['email', 'profile', 'offline_access'] } = server;
  return ['openid', ...wantedScopes.filter((scope) => known.includes(scope))].join(' ');
};

const auth = oauth.None();

/**
 * Loads the description of the provider at which people sign in. `fetchBy` sends all requests to it, such as through a proxy.
 * @throws {Error} if the provider does not answer, or has another issuer
 */
export const discoverProvider = async (
  { issuer, client_id }: SignInSettings,
  fetchBy?: typeof fetch,
): Promise<SignInProvider> => {
  const url = new URL(issuer);
  const options = {
    signal: () => AbortSignal.timeout(timeoutMs),
    // A registry in production has an https issuer.
    [oauth.allowInsecureRequests]: url.protocol === 'http:',
    ...(fetchBy && { [oauth.customFetch]: (one: string, init: object) => fetchBy(one, init) }),
  };
  const server = await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { ...options, algorithm: 'oidc' }),
  );
  return { server, client: { client_id }, options };
};

const toTokens = (
  answer: oauth.TokenEndpointResponse,
  before: string | null = null,
): SignInTokens => {
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const { id_token: idToken, refresh_token: refreshToken = before } = answer;
  if (!claims || idToken === undefined) throw new Error('The provider returned no ID token');
  return { idToken, refreshToken, expiresAt: claims.exp * 1000 };
};

/**
 * Begins a sign-in by authorization code with PKCE. Returns the address to open, and what the answer is checked with.
 * @throws {Error} if the provider has no authorization endpoint
 */
export const beginSignIn = async (
  provider: SignInProvider,
  redirectUri: string,
): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> => {
  const { server, client } = provider;
  if (!server.authorization_endpoint) throw new Error('The provider has no sign-in page');
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    redirectUri,
  };
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: chooseScope(provider),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, pending };
};

/**
 * Ends a sign-in with the parameters that the provider sent back.
 * @throws {Error} if the answer is a refusal, belongs to another sign-in, or has no valid ID token
 */
export const finishSignIn = async (
  { server, client, options }: SignInProvider,
  answer: URLSearchParams,
  { verifier, state, nonce, redirectUri }: PendingSignIn,
): Promise<SignInTokens> => {
  const checked = oauth.validateAuthResponse(server, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([server, client, auth, checked, redirectUri, verifier, options] as const),
  );
  return toTokens(
    await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    }),
  );
};

/**
 * Gets new tokens without the user.
 * @throws {Error} if the provider refuses the refresh token or does not answer
 */
export const renewSignIn = async (
  { server, client, options }: SignInProvider,
  refreshToken: string,
): Promise<SignInTokens> => {
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    auth,
    refreshToken,
    options,
  );
  return toTokens(await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
};

/** Returns true if the provider refused a grant, so that only a new sign-in helps. */
export const isGrantRefused = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant';

/** Has the provider revoke a refresh token, if it can. */
export const revokeSignIn = async (
  { server, client, options }: SignInProvider,
  refreshToken: string,
): Promise<void> => {
  if (!server.revocation_endpoint) return;
  const response = await oauth.revocationRequest(server, client, auth, refreshToken, options);
  await oauth.processRevocationResponse(response);
};

/** A code that the user enters at the provider, on any device (RFC 8628). */
export interface DeviceSignIn {
  readonly userCode: string;
  readonly url: string;
  readonly deviceCode: string;
  /** Delay between two questions, in milliseconds. */
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

/** Returns undefined after an answer that the client may not use a grant. */
const omitUnauthorized = (error: unknown): undefined => {
  if (error instanceof oauth.ResponseBodyError && error.error === 'unauthorized_client') return;
  throw error;
};

/** Begins a sign-in on another device. Returns undefined if the provider does not offer it to this client. */
export const beginDeviceSignIn = async (
  provider: SignInProvider,
): Promise<DeviceSignIn | undefined> => {
  const { server, client, options } = provider;
  if (!server.device_authorization_endpoint) return undefined;
  const parameters = new URLSearchParams({ scope: chooseScope(provider) });
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    auth,
    parameters,
    options,
  );
  const found = await oauth
    .processDeviceAuthorizationResponse(server, client, response)
    .catch(omitUnauthorized);
  return (
    found && {
      userCode: found.user_code,
      url: found.verification_uri_complete ?? found.verification_uri,
      deviceCode: found.device_code,
      intervalMs: (found.interval ?? 5) * 1000,
      expiresInMs: found.expires_in * 1000,
    }
  );
};

/** Returns the tokens of a sign-in on another device; `pending` or `slow_down` while the user has not finished. */
export const pollDeviceSignIn = async (
  { server, client, options }: SignInProvider,
  { deviceCode }: DeviceSignIn,
): Promise<SignInTokens | 'pending' | 'slow_down'> => {
  const response = await oauth.deviceCodeGrantRequest(server, client, auth, deviceCode, options);
  try {
    return toTokens(await oauth.processDeviceCodeResponse(server, client, response));
  } catch (error) {
    const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
    if (code === 'authorization_pending') return 'pending';
    if (code === 'slow_down') return 'slow_down';
    throw error;
  }
};

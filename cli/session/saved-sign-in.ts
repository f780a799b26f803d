import { findProxiedFetch } from '../../shared/api/client/node-transport.ts';
import {
  discoverProvider,
  isGrantRefused,
  renewSignIn,
  type SignInTokens,
} from '../../shared/api/client/sign-in.ts';
import {
  readConfig,
  replaceCredentials,
  type SignIn,
  withConfigLock,
  writeConfig,
} from './config-file.ts';
import { IdTokenError } from './id-token-error.ts';
import { describeProviderFault } from './provider-fault.ts';

/** An ID token is renewed this long before it expires. */
const reserveMs = 60_000;

/** Where a sign-in is saved. */
interface Place {
  readonly file: string;
  /** The URL of the registry. */
  readonly url: string;
}

/** Returns a sign-in as the config file keeps it. */
export const toSignIn = (
  { idToken, refreshToken, expiresAt }: SignInTokens,
  { issuer, client_id }: Pick<SignIn, 'issuer' | 'client_id'>,
): SignIn => ({
  id_token: idToken,
  refresh_token: refreshToken,
  expires_at: new Date(expiresAt).toISOString(),
  issuer,
  client_id,
});

const findSaved = ({ file, url }: Place): SignIn | undefined => readConfig(file).sign_ins?.[url];

const isValid = ({ expires_at }: SignIn, forMs = 0): boolean =>
  Date.parse(expires_at) - Date.now() > forMs;

const refuseExpired = (cause?: unknown): IdTokenError =>
  new IdTokenError({
    code: 'invalid_token',
    detail: 'Your sign-in has expired. Run registry login --sso.',
    cause,
  });

/** Another command may have renewed the sign-in without the lock, such as on a machine with the same home folder. */
const findRenewedByOthers = (place: Place, before: SignIn): SignIn | undefined => {
  const other = findSaved(place);
  return other && other.refresh_token !== before.refresh_token && isValid(other)
    ? other
    : undefined;
};

const requestRenewal = async (signIn: SignIn, refreshToken: string): Promise<SignIn> => {
  const provider = await discoverProvider(signIn, await findProxiedFetch());
  return toSignIn(await renewSignIn(provider, refreshToken), signIn);
};

/**
 * Renews a sign-in, and saves it. Providers accept a refresh token once, so that commands renew one after the other.
 * @throws {IdTokenError} if only a new sign-in helps
 */
const renew = (place: Place): Promise<SignIn> =>
  withConfigLock(place.file, async () => {
    const saved = findSaved(place);
    if (!saved) throw refuseExpired();
    // Another command has renewed it during the wait for the lock.
    if (isValid(saved, reserveMs)) return saved;
    if (saved.refresh_token === null) throw refuseExpired();
    try {
      const renewed = await requestRenewal(saved, saved.refresh_token);
      const config = readConfig(place.file);
      writeConfig(place.file, replaceCredentials(config, place.url, { signIn: renewed }));
      return renewed;
    } catch (error) {
      if (!isGrantRefused(error)) throw error;
      const other = findRenewedByOthers(place, saved);
      if (other) return other;
      throw refuseExpired(error);
    }
  });

const toIdTokenError = (error: unknown, { issuer }: SignIn): unknown => {
  if (error instanceof IdTokenError) return error;
  return new IdTokenError({
    code: 'unreachable',
    detail: `Your sign-in at ${issuer} could not be renewed: ${describeProviderFault(error)}.`,
    cause: error,
  });
};

const readIdToken = async (place: Place): Promise<string> => {
  const saved = findSaved(place);
  if (!saved) throw refuseExpired();
  if (isValid(saved, reserveMs)) return saved.id_token;
  try {
    return (await renew(place)).id_token;
  } catch (error) {
    // A provider that fails for a moment stops no command while the ID token is valid.
    if (isValid(saved) && findSaved(place)) return saved.id_token;
    throw toIdTokenError(error, saved);
  }
};

/**
 * Returns the function that returns the ID token of a saved sign-in, and renews it shortly before it expires. It throws an
 * IdTokenError for a sign-in that has expired.
 */
export const createSavedSignIn = (place: Place): (() => Promise<string>) => {
  let running: Promise<string> | undefined;
  return () => {
    running ??= readIdToken(place).finally(() => {
      running = undefined;
    });
    return running;
  };
};

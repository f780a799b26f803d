import { readTrustedIssuers } from '../../api/settings/trusted-issuers.ts';
import { logEvent } from '../../util/log.ts';
import { createIdTokenVerifier, type IdTokenVerifier } from './id-token-verifier.ts';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';

const keys = new Map<string, IssuerKeys>();

/** Returns the keys of an issuer, one cache for each function instance. */
const keysOf = (issuer: string): IssuerKeys => {
  const noteFailure = (error: unknown): void =>
    logEvent('error', 'issuer_keys_not_loaded', { issuer, error });
  const found = keys.get(issuer) ?? createIssuerKeys({ issuer, now: Date.now, noteFailure });
  keys.set(issuer, found);
  return found;
};

let verifier: IdTokenVerifier | undefined;

/** Returns the verifier of ID tokens; undefined if this deployment trusts no issuer. */
export const findIdTokenVerifier = (): IdTokenVerifier | undefined => {
  const { issuers } = readTrustedIssuers();
  if (issuers.length === 0) return undefined;
  verifier ??= createIdTokenVerifier({ issuers, keysOf, now: Date.now });
  return verifier;
};

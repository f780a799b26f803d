import {
  decodeJwt,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { identifyHolder } from '../../domain/identity/identify-holder.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { Caller } from '../../domain/tokens/actor.ts';
import { digest } from '../../util/checksums.ts';
import { canonicalizeJson } from '../../util/json.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';

/** Outcome of an ID token: its holder, or why the registry refuses it. */
export type IdTokenOutcome =
  | { readonly kind: 'accepted'; readonly caller: Caller }
  /** The token itself is not valid. `reason` is a sentence without content of the token. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The token is valid, but no rule accepts its holder. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The keys of its issuer cannot be loaded. */
  | { readonly kind: 'unavailable' };

/** Signature algorithms with a public key. A shared secret could be the public key itself (RFC 8725, section 2.1). */
const algorithms = ['RS256', 'ES256', 'EdDSA'];

/** Values of the header `typ` of ID tokens and access tokens. Other kinds of JWT are no credentials. */
const types: readonly unknown[] = [
  undefined,
  'jwt',
  'application/jwt',
  'at+jwt',
  'application/at+jwt',
];

/** Difference of clocks that is allowed, in seconds. */
const clockTolerance = 60;

/** Longest ID token that is read. API Gateway accepts headers of 10,240 bytes together. */
const longestToken = 10_240;

/** Verifies ID tokens. Refuses a holder whose label resembles one of `labels`, which the token list has. */
export interface IdTokenVerifier {
  verify(token: string, labels: readonly string[]): Promise<IdTokenOutcome>;
}

interface VerifierParts {
  readonly issuers: readonly TrustedIssuer[];
  readonly keysOf: (issuer: string) => IssuerKeys;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

/** Latest time that a date can have, in seconds. */
const lastSecond = 8_640_000_000_000;

/** True if a JWT identifies its holder. A logout token (OpenID Connect Back-Channel Logout, 2.4) has `events`. */
const isCredential = (header: JWTHeaderParameters, claims: JWTPayload): boolean => {
  const typ: unknown = header.typ;
  return types.includes(typeof typ === 'string' ? typ.toLowerCase() : typ) && !('events' in claims);
};

const notYet = 'It is not valid yet. Check the clocks.';

const invalid = (reason: string): IdTokenOutcome => ({ kind: 'invalid', reason });

/** Returns the reason of an error of verification; undefined for an unexpected error. */
const explain = (error: unknown): string | undefined => {
  if (error instanceof errors.JWTExpired) return 'It has expired. Sign in again.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' && error.reason === 'check_failed'
      ? notYet
      : `Its claim ${error.claim} is missing or not the expected one.`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `It is not signed with ${algorithms.join(', ')}.`;
  }
  if (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return 'Its issuer has no such key.';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'Its signature is wrong.';
  // Other faults of the token and of the issuer's keys, such as an RSA key that is too short.
  const kinds = [errors.JOSEError, TypeError, DOMException];
  return kinds.some((kind) => error instanceof kind)
    ? 'It is malformed, or its key is not usable.'
    : undefined;
};

const readIssuer = (token: string): string | undefined => {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
};

const listAudiences = ({ aud, client_id: clientId }: JWTPayload): readonly unknown[] => {
  if (aud !== undefined) return Array.isArray(aud) ? aud : [aud];
  // Access tokens of Amazon Cognito have no `aud`.
  return [clientId];
};

/** True if a token is meant for the registry. A token that an app got for itself is not (OpenID Connect Core, 3.1.3.7). */
const isForUs = ({ audiences }: TrustedIssuer, claims: JWTPayload): boolean => {
  const own = listAudiences(claims).filter((one) => audiences.some((other) => other === one));
  const { azp } = claims;
  const isMixed = Array.isArray(claims.aud) && claims.aud.length > 1;
  return own.length > 0 && (!isMixed || azp === undefined || own.includes(azp));
};

const toCaller = (
  { issuer }: TrustedIssuer,
  { sub = '', exp = 0 }: JWTPayload,
  { label, scopes }: Pick<Caller, 'label' | 'scopes'>,
): Caller => ({
  label,
  scopes,
  // All tokens of a person have one fingerprint, so that a retry with a renewed token is a retry.
  fingerprint: digest('sha256', canonicalizeJson([issuer, sub])).slice(0, 16),
  issuer,
  expires: new Date(exp * 1000),
});

/** Returns the verifier of ID tokens of trusted issuers (RFC 8725, OpenID Connect Core 3.1.3.7). */
export const createIdTokenVerifier = ({ issuers, keysOf, now }: VerifierParts): IdTokenVerifier => {
  const check = async (
    token: string,
    trusted: TrustedIssuer,
    keys: KeySet,
    labels: readonly string[],
  ): Promise<IdTokenOutcome> => {
    const options: JWTVerifyOptions = {
      ...{ issuer: trusted.issuer, algorithms, clockTolerance },
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(now()),
    };
    const { payload, protectedHeader } = await jwtVerify(token, keys, options);
    const { iat = 0, exp = 0, sub } = payload;
    if (!isCredential(protectedHeader, payload)) return invalid('It is another kind of token.');
    if (iat > now() / 1000 + clockTolerance) return invalid(notYet);
    if (exp > lastSecond) return invalid('Its claim exp is no time.');
    if (typeof sub !== 'string' || sub === '') return invalid('It has no subject.');
    if (!isForUs(trusted, payload)) return invalid('It is for another audience.');
    const holder = identifyHolder(trusted, payload, labels);
    return 'refusal' in holder
      ? { kind: 'refused', reason: holder.refusal }
      : { kind: 'accepted', caller: toCaller(trusted, payload, holder) };
  };

  const verify = async (token: string, labels: readonly string[]): Promise<IdTokenOutcome> => {
    const iss = token.length > longestToken ? undefined : readIssuer(token);
    const trusted = issuers.find(({ issuer }) => issuer === iss);
    if (!trusted) return invalid('It is not an ID token of an issuer that this registry accepts.');
    const cache = keysOf(trusted.issuer);
    const keys = await cache.current();
    if (!keys) return { kind: 'unavailable' };
    try {
      return await check(token, trusted, keys, labels);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have new keys.
      const newer = await cache.refreshed();
      return newer ? await check(token, trusted, newer, labels) : { kind: 'unavailable' };
    }
  };

  return {
    verify: (token, labels) =>
      verify(token, labels).catch((error) => {
        const reason = explain(error);
        if (reason === undefined) throw error;
        return invalid(reason);
      }),
  };
};

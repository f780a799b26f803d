import { isObject, type JsonObject, parseJson } from '../../shared/util/json.ts';

/** Returns the claims of an ID token without a check of its signature; empty for any other text. */
const readClaims = (token: string): JsonObject => {
  const [, payload = ''] = token.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  return isObject(claims) ? claims : {};
};

/** Returns when an ID token expires, in epoch milliseconds; undefined if it does not say so. */
export const readExpiry = (token: string): number | undefined => {
  const { exp } = readClaims(token);
  return typeof exp === 'number' ? exp * 1000 : undefined;
};

/** Returns whether an ID token is for an audience. A token without the claim may be. */
export const isForAudience = (token: string, audience: string): boolean => {
  const { aud } = readClaims(token);
  return aud === undefined || [aud].flat().includes(audience);
};

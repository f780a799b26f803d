/** What identifies the caller: a token of the registry's list, or an ID token of an issuer that the registry trusts. */
export type Credentials = { readonly token: string } | { readonly idToken: string };

/** Returns the header that carries credentials; no header without any. */
export const toAuthorization = (
  credentials: Credentials | null,
): Readonly<Record<string, string>> => {
  if (credentials === null) return {};
  return 'token' in credentials
    ? { 'X-API-Key': credentials.token }
    : { Authorization: `Bearer ${credentials.idToken}` };
};

/**
 * Returns the fault of a base URL, to complete the sentence "The URL …"; undefined if the URL is valid. The message
 * does not contain the URL, which may hold a password.
 */
export const findUrlFault = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password) return 'must not hold a user or password.';
  const isBase = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  return isBase ? undefined : 'must be a URL such as https://registry.example.com';
};

/**
 * Returns the fault of a token, to complete the sentence "The token …"; undefined if the token is valid. An error of
 * fetch would show the token.
 */
export const findTokenFault = (text: string): string | undefined =>
  /^[!-~]+$/.test(text) ? undefined : 'must be letters, digits and punctuation, without spaces.';

/** Token scopes. `submit`: submit packages and scan reports. `review`: make decisions. */
export const scopes = ['submit', 'review'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Parses the scopes of a token list entry, separated by plus signs. Returns each scope once, in the order of `scopes`.
 * Returns undefined if one is unknown.
 */
export const readScopes = (text: string): readonly Scope[] | undefined => {
  const said = text.split('+').map((part) => part.trim());
  const known: readonly string[] = scopes;
  return said.every((one) => known.includes(one))
    ? scopes.filter((scope) => said.includes(scope))
    : undefined;
};

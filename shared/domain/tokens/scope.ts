/** What tokens can be for: to submit packages and what is known of them, or to decide on them. */
export const scopes = ['submit', 'review'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Reads the scopes of a token as its entry in the token list says them, with a plus between; undefined where one is none.
 * In the order of the table above, each once.
 */
export const readScopes = (text: string): readonly Scope[] | undefined => {
  const said = text.split('+').map((part) => part.trim());
  const known: readonly string[] = scopes;
  return said.every((one) => known.includes(one))
    ? scopes.filter((scope) => said.includes(scope))
    : undefined;
};

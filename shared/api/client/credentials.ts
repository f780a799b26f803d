/** What is wrong with a base URL, to follow "The URL"; undefined if nothing is. It is not repeated: it may hold a password. */
export const findUrlFault = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password) return 'must not hold a user or password.';
  const isBase = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  return isBase ? undefined : 'is none such as https://registry.example.com';
};

/** What is wrong with a token, to follow "The token". An error of fetch's own would show it. */
export const findTokenFault = (text: string): string | undefined =>
  /^[!-~]+$/.test(text) ? undefined : 'is not one: tokens are letters, digits and -._~';

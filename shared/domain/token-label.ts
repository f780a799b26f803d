/** Whether the text is the name of a hash, such as `sha256`. In front of anything but a digest it is a digest gone wrong. */
export const isHashName = (label: string): boolean => /^\s*sha-?\d+\s*$/i.test(label);

/** Whether a token's entry in the token list can begin with this label and a colon. */
export const isTokenLabel = (label: string): boolean =>
  label.trim() !== '' && !/[:,\p{Cc}]/u.test(label) && !isHashName(label);

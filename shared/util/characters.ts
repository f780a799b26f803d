/** Characters that a page or a terminal does not show, or that turn around what stands beside them. */
const hidden = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyHidden = new RegExp(hidden, 'gu');

/** Whether text holds control characters: line breaks, tabs, escapes. */
export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);

/** Names the first character that readers would not see, to follow the name of a field; undefined if there is none. */
export const findHiddenFault = (text: string): string | undefined => {
  const code = hidden.exec(text)?.[0].codePointAt(0);
  if (code === undefined) return undefined;
  const name = code.toString(16).toUpperCase().padStart(4, '0');
  return `must not contain the invisible character U+${name}`;
};

/** The text without the characters that readers would not see. */
export const dropHiddenCharacters = (text: string): string => text.replace(everyHidden, '');

/** The longest name of a person or a client, in characters: as long as an e-mail address may be (RFC 5321). */
export const longestIdentity = 254;

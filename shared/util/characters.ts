/** Matches characters that pages and terminals do not show, or that reverse the direction of text. */
const hidden = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyHidden = new RegExp(hidden, 'gu');

/** True if a text contains control characters: line breaks, tabs, escapes. */
export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);

/**
 * Returns a message about the first invisible character, which continues the name of a field. Returns undefined if
 * there is none.
 */
export const findHiddenFault = (text: string): string | undefined => {
  const code = hidden.exec(text)?.[0].codePointAt(0);
  if (code === undefined) return undefined;
  const name = code.toString(16).toUpperCase().padStart(4, '0');
  return `must not contain the invisible character U+${name}`;
};

/** Returns the text without invisible characters. */
export const dropHiddenCharacters = (text: string): string => text.replace(everyHidden, '');

const everyUnseen = new RegExp(`${hidden.source}|\\p{Cc}`, 'gu');

/** Returns JSON whose invisible and control characters are escaped, so that each of them can be seen. */
export const escapeHiddenCharacters = (json: string): string =>
  json.replace(everyUnseen, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** Maximum length of a person's or client's name, in characters: the maximum of an e-mail address (RFC 5321). */
export const longestIdentity = 254;

const word = /(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g;

/** Returns the words of an instruction, including their quotes. */
export const splitWords = (text: string): string[] => text.match(word) ?? [];

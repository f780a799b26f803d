/** A word of an instruction, including its quotes. */
export interface RawWord {
  readonly raw: string;
  /** Offset in the instruction. */
  readonly at: number;
}

const word = /(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g;

/** Returns the words of an instruction with their offsets. */
export const findWords = (text: string): RawWord[] =>
  Array.from(text.matchAll(word), ({ 0: raw, index: at }) => ({ raw, at }));

/** Returns the words of an instruction, including their quotes. */
export const splitWords = (text: string): string[] => findWords(text).map(({ raw }) => raw);

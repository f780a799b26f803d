/** How an ecosystem writes names or versions. */
export interface TextRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  /** Completes the sentence "must be …". */
  readonly explanation: string;
  /** Returns the one spelling that stands for all equal spellings. */
  readonly canonical: (text: string) => string;
}

/** Separators and escapes that would change the meaning of a URL path, whatever the ecosystem. */
export const unsafeInPath = /[^!-~]|[%?#\\]|\.\.|\/\//;

/** Returns true if the text is a name or version by this rule. */
export const matchesRule = ({ pattern, maxLength }: TextRule, text: string): boolean =>
  text.length <= maxLength && !unsafeInPath.test(text) && pattern.test(text);

/** Returns a text as it is: the canonical spelling where no two spellings are equal. */
export const keepAsWritten = (text: string): string => text;

/** Syntax of the names or versions of one ecosystem. */
export interface TextRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  /** Completes the sentence "must be …". */
  readonly explanation: string;
  /** Returns the canonical spelling, which is the same for all equal spellings. */
  readonly canonical: (text: string) => string;
}

/** Order of the versions of one ecosystem, for versions in any spelling. */
export interface VersionOrder {
  /** Returns the spelling that `compare` expects, equal for equal versions; undefined if the text is no version. */
  readonly normalize: (text: string) => string | undefined;
  /** Compares two normalized versions. Returns a number below 0 if the first one is older, and above 0 if it is newer. */
  readonly compare: (one: string, other: string) => number;
  /** True if a normalized version precedes the release of its numbers. */
  readonly isPrerelease: (version: string) => boolean;
}

/** Matches separators and escapes that would change the meaning of a URL path, in every ecosystem. */
export const unsafeInPath = /[^!-~]|[%?#\\]|\.\.|\/\//;

/** True if the text is a valid name or version under the rule. */
export const matchesRule = ({ pattern, maxLength }: TextRule, text: string): boolean =>
  text.length <= maxLength && !unsafeInPath.test(text) && pattern.test(text);

/** Returns the text unchanged. This is the canonical spelling if no two spellings are equal. */
export const keepAsWritten = (text: string): string => text;

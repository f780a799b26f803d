import { parseLicense } from './parse-license.ts';

/** Maximum length of the license of a submission, in characters. */
export const longestLicense = 255;

/** Matches npm's pointer to a license file in the package, such as `SEE LICENSE IN LICENSE.md`. It names no license. */
const pointer = /^\(*see\s+licen[cs]e\b/i;

/** True if a text only points to a license file. */
export const isPointer = (text: string): boolean => pointer.test(text.trim());

/** True if a text names a license or is a license expression. A pointer to a license file is neither. */
export const isReadableLicense = (text: string): boolean =>
  !isPointer(text) && parseLicense(text) !== undefined;

/** True if a text has non-Latin letters. They can imitate the Latin letters of a known license name. */
export const hasForeignLetters = (text: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(text);

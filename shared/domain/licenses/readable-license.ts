import { parseLicense } from './parse-license.ts';

/** How long the license of a submission may be, in characters. */
export const longestLicense = 255;

/** A pointer to a file that comes with the package: npm's `SEE LICENSE IN LICENSE.md`. Each package has its own. */
const pointer = /^\(*see\s+licen[cs]e\b/i;

/** True if a text names a license or is a license expression. A pointer to a file names none. */
export const isReadableLicense = (text: string): boolean =>
  !pointer.test(text.trim()) && parseLicense(text) !== undefined;

/** True if a text has letters of other alphabets than Latin: an unknown name of such letters may pass for a known one. */
export const hasForeignLetters = (text: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(text);

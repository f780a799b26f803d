import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';

/** Python's names of UTF-8, and of ASCII, which is a subset of UTF-8. */
const utf8 = /^(?:utf[-_]?8(?:[-_]sig)?|u8|(?:us[-_])?ascii)$/i;

/** Returns the encoding in a comment of the first two lines, as pip detects it; undefined if none. Source: PEP 263. */
const findCoding = (text: string): string | undefined =>
  text
    .split('\n', 2)
    .filter((line) => line.startsWith('#'))
    .map((line) => /coding[:=]\s*([-\w.]+)/.exec(line)?.[1])
    .find((coding) => coding !== undefined);

/**
 * Throws if a requirements file names another encoding than UTF-8, because pip would find other packages in it.
 * @throws {UnreadableDependencyFileError}
 */
export const checkCoding = (text: string): void => {
  const coding = findCoding(text);
  if (coding === undefined || utf8.test(coding)) return;
  throw new UnreadableDependencyFileError(
    `Its first lines name the encoding ${coding.slice(0, 40)}, in which pip reads it. Only UTF-8 is read: write the file as UTF-8, without that line.`,
  );
};

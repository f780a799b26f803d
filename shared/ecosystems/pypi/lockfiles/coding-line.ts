import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';

/** Python calls UTF-8 by these names. ASCII is a part of it. */
const utf8 = /^(?:utf[-_]?8(?:[-_]sig)?|u8|(?:us[-_])?ascii)$/i;

/** Returns the encoding that one of the first two lines names, as pip looks for it. Source: PEP 263. */
const findCoding = (text: string): string | undefined =>
  text
    .split('\n', 2)
    .filter((line) => line.startsWith('#'))
    .map((line) => /coding[:=]\s*([-\w.]+)/.exec(line)?.[1])
    .find((coding) => coding !== undefined);

/**
 * Refuses a file of requirements that names another encoding than UTF-8: pip would read other packages out of it.
 * @throws {UnreadableDependencyFileError}
 */
export const checkCoding = (text: string): void => {
  const coding = findCoding(text);
  if (coding === undefined || utf8.test(coding)) return;
  throw new UnreadableDependencyFileError(
    `Its first lines name the encoding ${coding.slice(0, 40)}, in which pip reads it. Only UTF-8 is read: write the file as UTF-8, without that line.`,
  );
};

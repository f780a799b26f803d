import type { InstallScript } from '../../domain/facts/release-details.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import { dropHiddenCharacters } from '../../util/characters.ts';
import { digest } from '../../util/digest.ts';

/** Limits of a version's details, in characters and in items. Longer values are unknown, since a cut one could be equal. */
const longestName = 254;
const longestScript = 2_000;
const mostNames = 100;

/** Returns a name on one line, without invisible characters; undefined if it is missing or too long. */
export const cleanName = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > longestName) return undefined;
  return cleanLine(dropHiddenCharacters(value), longestName) || undefined;
};

/** Returns distinct names in order; undefined if one is invalid, or if there are more than 100. */
export const cleanList = (values: readonly unknown[]): readonly string[] | undefined => {
  if (values.length > mostNames) return undefined;
  const names = values.map(cleanName).filter((name) => name !== undefined);
  return names.length === values.length ? [...new Set(names)].toSorted() : undefined;
};

/** Returns the first 2,000 characters of a command, and the digest of the whole command. */
export const cleanScript = (command: string | undefined): Omit<InstallScript, 'name'> =>
  command === undefined
    ? { text: null, digest: null }
    : {
        text: cleanLine(dropHiddenCharacters(command.slice(0, longestScript)), longestScript),
        digest: digest(command),
      };

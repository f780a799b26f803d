import { canonicalizePep440 } from './pep440.ts';

const wheel = /\.whl$/i;
const sourceArchive = /\.(?:tar\.(?:gz|bz2|xz|Z)|tgz|tbz|zip)$/i;

export const isWheel = (filename: string): boolean => wheel.test(filename);

/** Maximum length of a file name in characters. Package managers accept no longer ones. */
export const longestFileName = 500;

/**
 * Returns the part of a file name after the project's name; undefined if the file belongs to another project. A hyphen
 * of the name matches any run of `-`, `_` and `.`. The search takes linear time.
 */
const findRest = (stem: string, canonicalName: string): string | undefined => {
  let at = 0;
  for (const character of canonicalName) {
    if (character !== '-') {
      if (stem[at]?.toLowerCase() !== character) return undefined;
      at += 1;
      continue;
    }
    const separators = at;
    while (/[-_.]/.test(stem[at] ?? '')) at += 1;
    if (at === separators) return undefined;
  }
  return stem[at] === '-' ? stem.slice(at + 1) : undefined;
};

/**
 * Returns the version in the file name of a wheel or source archive; undefined for other kinds of files, and for files
 * of other projects. In wheels, an underscore means a hyphen.
 */
export const readFileVersion = (filename: string, canonicalName: string): string | undefined => {
  if (filename.length > longestFileName) return undefined;
  const ending = isWheel(filename) ? wheel : sourceArchive;
  if (!ending.test(filename)) return undefined;
  const rest = findRest(filename.replace(ending, ''), canonicalName);
  const version = isWheel(filename) ? rest?.split('-', 1)[0]?.replaceAll('_', '-') : rest;
  return version !== undefined && canonicalizePep440(version) !== undefined ? version : undefined;
};

/** True if a wheel suits every platform, so that no installer has to build the project. */
export const isGlobalScope = (filename: string): boolean => /-none-any\.whl$/i.test(filename);

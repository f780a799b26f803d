import { canonicalizePep440 } from './pep440.ts';

const wheel = /\.whl$/i;
const sourceArchive = /\.(?:tar\.(?:gz|bz2|xz|Z)|tgz|tbz|zip)$/i;

export const isWheel = (filename: string): boolean => wheel.test(filename);

/** No file name that a package manager takes is longer. */
export const longestFileName = 500;

/**
 * Returns what is behind the project's name in a file name, which may write each hyphen of it as any run of `-`, `_` and
 * `.`; undefined if the file is of another project. Each character is looked at once.
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
 * The version of a wheel or source archive as its file name has it; undefined for any other kind of file,
 * and for a file of another project. In wheels an underscore stands for a hyphen.
 */
export const readFileVersion = (filename: string, canonicalName: string): string | undefined => {
  if (filename.length > longestFileName) return undefined;
  const ending = isWheel(filename) ? wheel : sourceArchive;
  if (!ending.test(filename)) return undefined;
  const rest = findRest(filename.replace(ending, ''), canonicalName);
  const version = isWheel(filename) ? rest?.split('-', 1)[0]?.replaceAll('_', '-') : rest;
  return version !== undefined && canonicalizePep440(version) !== undefined ? version : undefined;
};

/** Whether a wheel can be installed wherever there is Python, so that nobody has to build it. */
export const isGlobalScope = (filename: string): boolean => /-none-any\.whl$/i.test(filename);

import { type Ecosystem, isFileEcosystem } from '../../ecosystems/ecosystem.ts';
import { readQualifiers } from './purl.ts';

/** Qualifiers with which a package URL means a part of a package, or a package from another source. */
const narrowing: ReadonlyMap<string, string> = new Map([
  ['vers', 'names a range of versions'],
  ['repository_url', 'names a package of another repository'],
  ['download_url', 'names a file at an address of its own'],
  ['vcs_url', 'names the content of a repository of source code'],
  ['file_name', 'names one file of a package'],
  ['classifier', 'names one file of a package'],
]);

/** Returns true for the repository of an image, which is a part of its name. */
const isPartOfName = (qualifier: string, ecosystem: Ecosystem): boolean =>
  qualifier === 'repository_url' && !isFileEcosystem(ecosystem);

/**
 * Returns why a package URL means a part of a package or a package from another source. Returns undefined if it means
 * exactly the package or version. A decision or risk acceptance would otherwise cover more than the package URL, or
 * another package.
 */
export const findNarrowing = (purl: string, ecosystem: Ecosystem): string | undefined => {
  const [, subpath] = purl.split('#');
  if (subpath) return 'names a path within a package (#)';
  for (const qualifier of readQualifiers(purl).keys()) {
    const what = narrowing.get(qualifier);
    if (what === undefined || isPartOfName(qualifier, ecosystem)) continue;
    return `${what} (${qualifier})`;
  }
  return undefined;
};

/** True if a package URL has a version, valid or not. */
export const namesVersion = (purl: string): boolean => {
  const [path = ''] = purl.split(/[?#]/);
  return path.slice(path.lastIndexOf('/') + 1).lastIndexOf('@') > 0;
};

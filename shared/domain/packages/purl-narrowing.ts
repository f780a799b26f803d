import type { Ecosystem } from './ecosystem.ts';
import { readQualifiers } from './purl.ts';

/** Qualifiers of package URLs by which a package URL means less than a package, or one from another place. */
const narrowing: ReadonlyMap<string, string> = new Map([
  ['vers', 'names a range of versions'],
  ['repository_url', 'names a package of another repository'],
  ['download_url', 'names a file at an address of its own'],
  ['vcs_url', 'names the content of a repository of source code'],
  ['file_name', 'names one file of a package'],
  ['classifier', 'names one file of a package'],
]);

/** The repository of an image is a part of its name. */
const isPartOfName = (qualifier: string, ecosystem: Ecosystem): boolean =>
  qualifier === 'repository_url' && ecosystem === 'docker';

/**
 * Returns why a package URL means something else than the package or version that it names: a part of it, or a
 * package of the same name from elsewhere. Undefined if it means just that. A decision or acceptance on the package would
 * otherwise reach further than the package URL does, or concern another package.
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

/** Whether a package URL names a version, whether or not it can be one. */
export const namesVersion = (purl: string): boolean => {
  const [path = ''] = purl.split(/[?#]/);
  return path.slice(path.lastIndexOf('/') + 1).lastIndexOf('@') > 0;
};

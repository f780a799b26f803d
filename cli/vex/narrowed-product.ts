import type { Ecosystem } from '../../shared/domain/ecosystem.ts';

/** Qualifiers of package URLs by which a product is less than a package, or comes from another place. */
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
 * package of the same name from elsewhere. Undefined if it means just that. An acceptance cannot say such a thing, and
 * without it would reach further than the document does.
 */
export const findNarrowing = (purl: string, ecosystem: Ecosystem): string | undefined => {
  const [before = '', subpath] = purl.split('#');
  if (subpath) return 'names a path within a package (#), which cannot be accepted alone';
  const qualifiers = new URLSearchParams(before.split('?').slice(1).join('?'));
  for (const key of qualifiers.keys()) {
    const qualifier = key.trim().toLowerCase();
    const what = narrowing.get(qualifier);
    if (what === undefined || isPartOfName(qualifier, ecosystem)) continue;
    return `${what} (${qualifier}), which cannot be accepted alone`;
  }
  return undefined;
};

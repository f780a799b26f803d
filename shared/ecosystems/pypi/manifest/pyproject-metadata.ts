import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/** URL labels known to PyPI, in lower case without punctuation. Source: PyPA, "Well-known Project URLs". */
export const homepageLabels = ['homepage'];
export const repositoryLabels = ['source', 'repository', 'sourcecode', 'github'];

/** Returns the URL under the first label that matches one of `labels`; undefined if none matches. */
export const findProjectUrl = (urls: unknown, labels: readonly string[]): string | undefined => {
  if (!isObject(urls)) return undefined;
  const found = Object.keys(urls).find((label) =>
    labels.includes(label.toLowerCase().replace(/[\p{P}\p{S}\s]/gu, '')),
  );
  return found === undefined ? undefined : readTextAt(urls, found);
};

const shortLine = /^.{1,255}$/;

/** Returns the text at a path if it is one line of at most 255 characters. Some projects put a whole license there. */
export const readShortLine = (value: unknown, ...path: readonly string[]): string | undefined => {
  const text = readTextAt(value, ...path) ?? '';
  return shortLine.test(text) ? text : undefined;
};

/** Classifier that names no particular license. */
const approved = 'License :: OSI Approved';

const listLicenseClasses = (project: unknown): string[] =>
  [readAt(project, 'classifiers')]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one.startsWith('License :: '));

/** Returns the classifiers of a project that name a license. */
export const listLicenseClassifiers = (project: unknown): string[] =>
  listLicenseClasses(project).filter((one) => one !== approved);

/** True if a project has a classifier about its license, including one that names no particular license. */
export const namesLicenseClass = (project: unknown): boolean =>
  listLicenseClasses(project).length > 0;

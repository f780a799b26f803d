import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/** The labels that PyPI gives a meaning, without case and punctuation (PyPA, "Well-known Project URLs"). */
export const homepageLabels = ['homepage'];
export const repositoryLabels = ['source', 'repository', 'sourcecode', 'github'];

/** The address under the first label that is one of these, out of addresses by label. */
export const findProjectUrl = (urls: unknown, labels: readonly string[]): string | undefined => {
  if (!isObject(urls)) return undefined;
  const found = Object.keys(urls).find((label) =>
    labels.includes(label.toLowerCase().replace(/[\p{P}\p{S}\s]/gu, '')),
  );
  return found === undefined ? undefined : readTextAt(urls, found);
};

const shortLine = /^.{1,255}$/;

/** The text that stands there, where it is no more than a name: some have a whole license there. */
export const readShortLine = (value: unknown, ...path: readonly string[]): string | undefined => {
  const text = readTextAt(value, ...path) ?? '';
  return shortLine.test(text) ? text : undefined;
};

/** Names no license. */
const approved = 'License :: OSI Approved';

const listLicenseClasses = (project: unknown): string[] =>
  [readAt(project, 'classifiers')]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one.startsWith('License :: '));

/** The classifiers of a project that name licenses. */
export const listLicenseClassifiers = (project: unknown): string[] =>
  listLicenseClasses(project).filter((one) => one !== approved);

/** True if a project has a classifier about its license, also one that does not say which license it is. */
export const namesLicenseClass = (project: unknown): boolean =>
  listLicenseClasses(project).length > 0;

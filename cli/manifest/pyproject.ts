import { parse } from 'smol-toml';
import { isObject, readAt, readTextAt } from '../../shared/domain/json.ts';
import {
  joinListed,
  joinStatements,
} from '../../shared/domain/licenses/reading/join-statements.ts';
import { toHomepage, toRepository } from '../../shared/manifests/addresses.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { dropEmpty } from './values.ts';

/** The labels that PyPI gives a meaning, without case and punctuation (PyPA, "Well-known Project URLs"). */
const homepageLabels = ['homepage'];
const repositoryLabels = ['source', 'repository', 'sourcecode', 'github'];

const findUrl = (project: unknown, labels: readonly string[]): string | undefined => {
  const urls = readAt(project, 'urls');
  if (!isObject(urls)) return undefined;
  const found = Object.keys(urls).find((label) =>
    labels.includes(label.toLowerCase().replace(/[\p{P}\p{S}\s]/gu, '')),
  );
  return found === undefined ? undefined : readTextAt(urls, found);
};

const shortLine = /^.{1,255}$/;

/** Names no license. */
const approved = 'License :: OSI Approved';

const readClassifiers = (table: unknown): string[] =>
  [readAt(table, 'classifiers')]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one.startsWith('License :: '))
    .filter((one) => one !== approved);

/** An expression, or the text of a license where that is no more than its name. */
const readStatement = (table: unknown): string | undefined => {
  const text = readTextAt(table, 'license', 'text') ?? '';
  return readTextAt(table, 'license') ?? (shortLine.test(text) ? text : undefined);
};

/** All that the tables say of the license, and PyPI's classifiers. */
const readLicense = (tables: readonly unknown[]): string | undefined =>
  joinListed(
    tables.map(readStatement).reduce(joinStatements, undefined),
    tables.flatMap(readClassifiers),
  );

const readFields = (project: unknown): ManifestFields => ({
  ecosystem: 'pypi',
  name: readTextAt(project, 'name'),
  version: readTextAt(project, 'version'),
  description: readTextAt(project, 'description'),
  homepage: toHomepage(findUrl(project, homepageLabels) ?? readTextAt(project, 'homepage')),
  repository: toRepository(findUrl(project, repositoryLabels) ?? readTextAt(project, 'repository')),
});

/** Reads a pyproject.toml: its `project` table, and for what that leaves open the one of Poetry; of the license, both. */
export const readPyproject = (text: string): ManifestFields => {
  const manifest: unknown = parse(text);
  const project = readAt(manifest, 'project');
  const poetry = readAt(manifest, 'tool', 'poetry');
  if (project === undefined && poetry === undefined) throw new Error('it has no [project] table');
  return {
    ...dropEmpty(readFields(poetry)),
    ...dropEmpty(readFields(project)),
    license: readLicense([project, poetry]),
  };
};

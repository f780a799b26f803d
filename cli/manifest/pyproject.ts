import { parse } from 'smol-toml';
import { homepageOf, repositoryOf } from './addresses.ts';
import type { ManifestFields } from './manifest.ts';
import { at, isObject, textAt } from './values.ts';

/** The labels that PyPI gives a meaning, without case and punctuation (PyPA, "Well-known Project URLs"). */
const homepageLabels = ['homepage'];
const repositoryLabels = ['source', 'repository', 'sourcecode', 'github'];

const urlLabelled = (project: unknown, labels: readonly string[]): string | undefined => {
  const urls = at(project, 'urls');
  if (!isObject(urls)) return undefined;
  const found = Object.keys(urls).find((label) =>
    labels.includes(label.toLowerCase().replace(/[\p{P}\p{S}\s]/gu, '')),
  );
  return found === undefined ? undefined : textAt(urls, found);
};

const fieldsOf = (project: unknown): ManifestFields => ({
  ecosystem: 'pypi',
  name: textAt(project, 'name'),
  version: textAt(project, 'version'),
  // A table with the whole text of a license says nothing short.
  license: textAt(project, 'license'),
  description: textAt(project, 'description'),
  homepage: homepageOf(urlLabelled(project, homepageLabels) ?? textAt(project, 'homepage')),
  repository: repositoryOf(urlLabelled(project, repositoryLabels) ?? textAt(project, 'repository')),
});

/** A pyproject.toml: its `project` table, or that of Poetry before there was one. */
export const submissionOfPyproject = (text: string): ManifestFields => {
  const manifest: unknown = parse(text);
  const project = at(manifest, 'project') ?? at(manifest, 'tool', 'poetry');
  if (project === undefined) throw new Error('it has no [project] table');
  return fieldsOf(project);
};

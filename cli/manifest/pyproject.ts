import { parse } from 'smol-toml';
import { homepageOf, repositoryOf } from './addresses.ts';
import type { ManifestFields } from './manifest.ts';
import { at, isObject, said, textAt } from './values.ts';

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

const shortLine = /^.{1,255}$/;

/** An expression, or the text of a license where that is no more than its name. */
const licenseOf = (project: unknown): string | undefined => {
  const text = textAt(project, 'license', 'text') ?? '';
  return textAt(project, 'license') ?? (shortLine.test(text) ? text : undefined);
};

const fieldsOf = (project: unknown): ManifestFields => ({
  ecosystem: 'pypi',
  name: textAt(project, 'name'),
  version: textAt(project, 'version'),
  license: licenseOf(project),
  description: textAt(project, 'description'),
  homepage: homepageOf(urlLabelled(project, homepageLabels) ?? textAt(project, 'homepage')),
  repository: repositoryOf(urlLabelled(project, repositoryLabels) ?? textAt(project, 'repository')),
});

/** A pyproject.toml: its `project` table, and for what that leaves open the one of Poetry. */
export const submissionOfPyproject = (text: string): ManifestFields => {
  const manifest: unknown = parse(text);
  const project = at(manifest, 'project');
  const poetry = at(manifest, 'tool', 'poetry');
  if (project === undefined && poetry === undefined) throw new Error('it has no [project] table');
  return { ...said(fieldsOf(poetry)), ...said(fieldsOf(project)) };
};

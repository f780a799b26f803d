import { parse } from 'smol-toml';
import {
  joinListed,
  joinStatements,
} from '../../../../shared/domain/licenses/normalize/join-statements.ts';
import { toHomepage, toRepository } from '../../../../shared/ecosystems/manifest/addresses.ts';
import {
  findProjectUrl,
  homepageLabels,
  listLicenseClassifiers,
  readShortLine,
  repositoryLabels,
} from '../../../../shared/ecosystems/pypi/manifest/pyproject-metadata.ts';
import { readAt, readTextAt } from '../../../../shared/util/json.ts';
import { dropEmpty } from './drop-empty.ts';
import type { ManifestFields } from './manifest-fields.ts';

/** Reads the license expression, or a license text that is only a name. */
const readStatement = (table: unknown): string | undefined =>
  readTextAt(table, 'license') ?? readShortLine(table, 'license', 'text');

/** Reads the license from all tables, and from the classifiers of PyPI. */
const readLicense = (tables: readonly unknown[]): string | undefined =>
  joinListed(
    tables.map(readStatement).reduce(joinStatements, undefined),
    tables.flatMap(listLicenseClassifiers),
  );

const readFields = (project: unknown): ManifestFields => ({
  ecosystem: 'pypi',
  name: readTextAt(project, 'name'),
  version: readTextAt(project, 'version'),
  description: readTextAt(project, 'description'),
  homepage: toHomepage(
    findProjectUrl(readAt(project, 'urls'), homepageLabels) ?? readTextAt(project, 'homepage'),
  ),
  repository: toRepository(
    findProjectUrl(readAt(project, 'urls'), repositoryLabels) ?? readTextAt(project, 'repository'),
  ),
});

/** Reads a pyproject.toml: its `project` table, missing fields from the table of Poetry, and the license from both. */
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

import type { ProjectUse } from '../../shared/api/schemas/project.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import type { View } from '../output/result.ts';
import { toMinutes } from './merged-scan.ts';

/** Returns whether a project requires a version itself, in a word; null if its files do not show it. */
export const describePlace = ({ direct }: Pick<ProjectUse, 'direct'>): string | null => {
  if (direct === null) return null;
  return direct ? 'direct' : 'transitive';
};

const presentUse = (use: ProjectUse): object => ({
  package: formatPackage(use),
  project: use.project,
  ref: use.ref,
  direct: describePlace(use),
  owner: use.owner,
  recorded_utc: toMinutes(use.recorded_at),
});

/** Shows the number of projects, which may be a lower bound, in one field. */
const presentCount = ({ projects, projects_at_least, ...others }: JsonObject): object =>
  projects_at_least ? { ...others, projects: `at least ${projects}` } : { ...others, projects };

/** How people see the projects that use a version. */
export const useView = {
  presentAbout: (about: JsonObject) => ('projects' in about ? presentCount(about) : about),
  presentRow: presentUse,
  droppable: ['recorded_utc', 'direct'],
} as const satisfies View<object, ProjectUse>;

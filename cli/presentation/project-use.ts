import type { ProjectUse } from '../../shared/api/schemas/project.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
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

/** How people see the projects that use a version. */
export const useView = {
  presentRow: presentUse,
  droppable: ['recorded_utc', 'direct'],
} as const satisfies View<object, ProjectUse>;

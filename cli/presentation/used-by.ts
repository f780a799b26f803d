import { describeUses } from '../../shared/domain/projects/describe-uses.ts';
import type { RowUses } from '../many/project-uses.ts';

/** Returns the cell about the projects that use the version of a row; no cell if they are unknown. */
export const presentUses = ({ projects, projects_at_least, used_by }: RowUses): object => {
  if (projects === undefined || projects_at_least === undefined || !used_by) return {};
  return { used_by: projects > 0 ? describeUses({ projects, projects_at_least, used_by }) : null };
};

import type { Project } from '../../shared/api/schemas/project.ts';
import { defineCommand } from '../framework/define-command.ts';
import { toMinutes } from '../presentation/merged-scan.ts';

const presentProject = ({ project, owner, refs, recorded_at }: Project): object => ({
  ...{ project, owner, refs },
  recorded_utc: toMinutes(recorded_at),
});

export const projects = defineCommand('listProjects', {
  name: 'projects',
  examples: ['projects', 'projects --owner payments@example.com --all'],
  flags: {
    owner: { description: 'only projects of exactly this owner' },
  },
  view: { presentRow: presentProject, droppable: ['recorded_utc', 'refs'] },
});

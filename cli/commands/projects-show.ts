import type { ProjectDetail } from '../../shared/api/schemas/project.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { describePlace } from '../presentation/project-use.ts';

type ProjectVersion = ProjectDetail['versions'][number];

const describeStatus = ({ status, attention, own_package }: ProjectVersion): string => {
  if (status === 'unknown' && own_package) return 'own package';
  return attention.length === 0 ? status : `${status}: ${attention.join(', ')}`;
};

const presentVersion = (row: ProjectVersion): object => ({
  package: formatPackage(row),
  status: describeStatus(row),
  direct: describePlace(row),
  files: row.files.join(', '),
});

export const projectsShow = defineCommand('showProject', {
  name: 'projects show',
  examples: ['projects show shop', 'projects show acme/shop --ref release-2 --all'],
  arguments: { project: 'the project, such as shop or acme/shop' },
  flags: {
    ref: { description: 'the branch or tag; main unless given' },
  },
  view: { presentRow: presentVersion, droppable: ['files', 'direct'] },
});

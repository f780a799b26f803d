import { defineCommand } from '../framework/define-command.ts';
import { useView } from '../presentation/project-use.ts';

export const where = defineCommand('listPackageProjects', {
  name: 'where',
  examples: ['where log4j-core@2.14.1', 'where npm:lodash --all --json'],
  flags: { after: { description: 'continue a list: `next` of the page before' } },
  view: useView,
});

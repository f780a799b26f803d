import { defineCommand } from '../framework/define-command.ts';

export const licenseList = defineCommand('listLicenses', {
  name: 'license list',
  examples: ['license list --status rejected', 'license list --search gnu --all'],
  flags: {
    search: { description: 'a part of the name or title' },
    status: { description: 'only licenses with this status in the organisation' },
  },
  view: { columns: ['name', 'title', 'status', 'category'], droppable: ['category'] },
});

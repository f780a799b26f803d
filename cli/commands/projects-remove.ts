import { defineCommand } from '../framework/define-command.ts';

export const projectsRemove = defineCommand('removeProject', {
  name: 'projects remove',
  examples: ['projects remove shop --ref feature/basket', 'projects remove acme/shop --ref main'],
  arguments: { project: 'the project, such as shop or acme/shop' },
  flags: {
    ref: { description: 'the branch or tag to remove; the project goes with its last one' },
  },
});

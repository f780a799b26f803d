import { jsonFileArgument } from '../framework/body-source.ts';
import { defineCommand } from '../framework/define-command.ts';

export const admit = defineCommand('admitPod', {
  name: 'admit',
  examples: ['admit review.json'],
  body: jsonFileArgument,
});

import { jsonFileArgument } from '../framework/body-source.ts';
import { defineCommand } from '../framework/define-command.ts';

export const pinImages = defineCommand('pinImages', {
  name: 'pin-images',
  examples: ['pin-images review.json'],
  body: jsonFileArgument,
});

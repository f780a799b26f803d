import { defineCommand } from '../framework/define-command.ts';
import { formatWithSentence } from '../output/details.ts';

export const comment = defineCommand('commentPackage', {
  name: 'comment',
  examples: [
    'comment lodash@4.17.21 --text "Needed by the importer alone"',
    'comment lodash@4.17.21 --question --text "Is the CLI still used?"',
  ],
  view: {
    formatAnswer: (answer, output) =>
      formatWithSentence('The history has the comment.', answer, output),
  },
});

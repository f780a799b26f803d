import { defineCommand } from '../../framework/define-command.ts';
import { formatChanges } from '../../presentation/version-changes.ts';

export const diff = defineCommand('showChanges', {
  name: 'diff',
  examples: ['diff axios@1.14.1', 'diff axios@1.14.1 --since 1.13.0', 'diff pypi:requests --json'],
  view: { formatAnswer: formatChanges },
});

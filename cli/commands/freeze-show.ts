import { defineCommand } from '../framework/define-command.ts';
import { showFreezeStatus } from '../presentation/freeze-status.ts';

export const freezeShow = defineCommand('showFreeze', {
  name: 'freeze show',
  examples: ['freeze show', 'freeze show --json'],
  view: { formatAnswer: showFreezeStatus },
});

import { defineCommand } from '../framework/define-command.ts';
import { showFreezeStatus } from '../presentation/freeze-status.ts';

export const unfreeze = defineCommand('liftFreeze', {
  name: 'unfreeze',
  examples: ['unfreeze', 'unfreeze --dry-run'],
  view: { formatAnswer: showFreezeStatus },
});

import { defineCommand } from '../framework/define-command.ts';
import { showFreezeStatus } from '../presentation/freeze-status.ts';

export const freeze = defineCommand('freezeRegistry', {
  name: 'freeze',
  examples: ['freeze --before 2026-09-15T00:00:00Z --reason "Malware in npm, incident 4711"'],
  flags: {
    before: { description: 'the time from which new versions are refused; not in the future' },
    reason: { description: 'why; each refusal shows it' },
  },
  view: { formatAnswer: showFreezeStatus },
});

import { Option } from 'commander';
import { defineCommand } from '../../framework/define-command.ts';
import { requireArgument, takesOption } from '../../framework/option-in-place.ts';
import { packageArgument } from '../../framework/positionals.ts';
import { sendRequest } from '../../framework/send-request.ts';

export const scanDismiss = defineCommand('dismissScan', {
  name: 'scan dismiss',
  examples: [
    'scan dismiss lodash@4.17.20 --tool trivy --label ci --reason "Scanned the wrong image"',
    'scan dismiss --label ci --since 2026-11-20T00:00:00Z --reason "The token leaked" --dry-run',
  ],
  positionals: [packageArgument('[name]')],
  flags: {
    tool: { description: 'the tool whose scans to dismiss, as scan show names it' },
    label: {
      description:
        'the label of the token that sent the scans; a token without a label unless given',
    },
    number: { description: 'the newest of the scans, if several have the same tool and label' },
    reason: { description: 'why' },
  },
  options: [
    new Option(
      '--since <time>',
      'instead of a package: all scans that tokens of the label sent since then, of all packages',
    ),
    new Option('--until <time>', 'with --since: only scans before'),
  ],
  run: async (call) => {
    if (takesOption(call, 'since', ['<name>'])) {
      const { dismissSince } = await import('./dismiss-since.ts');
      await dismissSince(call.flags, call.session);
      return;
    }
    requireArgument(call, '<name>', 'since');
    await sendRequest(call);
  },
});

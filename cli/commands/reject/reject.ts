import { Option } from 'commander';
import { defineCommand } from '../../framework/define-command.ts';
import {
  ifNeededOption,
  listedFields,
  manyPackages,
  packagesFile,
  runForPackages,
  yesOption,
} from '../../framework/many-packages.ts';
import { takesOption } from '../../framework/option-in-place.ts';
import { announce, describeRejection } from '../../presentation/announce.ts';
import { warnOfUses } from './warn-of-uses.ts';

export const reject = defineCommand('rejectPackage', {
  name: 'reject',
  examples: [
    'reject left-pad --reason "String.prototype.padStart does it"',
    'reject --file unwanted.txt --reason "Nobody maintains them"',
    'reject --label ci --since 2026-11-20T00:00:00Z --reason "The token leaked" --dry-run',
  ],
  positionals: manyPackages,
  flags: { reason: { required: true } },
  options: [
    packagesFile,
    ifNeededOption,
    yesOption,
    new Option(
      '--since <time>',
      'instead of packages: all versions that tokens of the label submitted since then',
    ),
    new Option('--until <time>', 'with --since: only versions submitted before'),
    new Option('--label <text>', 'with --since: the label of the tokens'),
    new Option('--include-approved', 'with --since: also reject versions that have been approved'),
  ],
  run: async (call) => {
    if (takesOption(call, 'since', ['<name>'])) {
      const { rejectSince } = await import('./reject-since.ts');
      await rejectSince(call.flags, call.session);
      return;
    }
    await runForPackages(call, {
      ...{ route: 'decidePackages', list: 'decisions', action: 'reject' },
      ignoredFields: ['status', 'license', ...listedFields],
      warnOfEffects: warnOfUses,
      view: announce(call.session, describeRejection),
    });
  },
});

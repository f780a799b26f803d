import { defineCommand } from '../../framework/define-command.ts';
import {
  ifNeededOption,
  listedFields,
  manyPackages,
  packagesFile,
  runForPackages,
  yesOption,
} from '../../framework/many-packages.ts';
import { readExpiry } from '../../input/moments.ts';
import { toOneLine } from '../../output/text.ts';
import { announce, describeApproval } from '../../presentation/announce.ts';
import { findMissingScan, prepareScanWarning } from './warn-unscanned.ts';

export const approve = defineCommand('approvePackage', {
  name: 'approve',
  examples: [
    'approve left-pad',
    'approve left-pad@1.3.0 --expires 90d',
    'approve left-pad --override license_rejected --reason "Only used in tests"',
    'approve lodash@4.17.21 --keep --reason "Deprecated, and used in tests only"',
    'approve npm:left-pad@1.3.0 pypi:attrs@24.3.0',
    'approve - --expires 90d < packages.txt',
  ],
  positionals: manyPackages,
  flags: {
    expires_at: {
      name: 'expires',
      description:
        'when the approval expires: 90d for 90 days, or a day or time such as 2027-01-31',
      parse: readExpiry,
    },
    expires_in_days: { hidden: true },
    override: { needs: 'reason' },
    keep: { needs: 'reason' },
  },
  options: [packagesFile, ifNeededOption, yesOption],
  run: async (call) => {
    const approved = await runForPackages(call, {
      ...{ route: 'decidePackages', list: 'decisions', action: 'approve' },
      ignoredFields: ['status', 'license', ...listedFields],
      prepareWarning: prepareScanWarning,
      view: announce(call.session, describeApproval),
    });
    const { client, terminal } = call.session;
    const warning = approved && (await findMissingScan(approved, client));
    if (warning) terminal.warn(toOneLine(warning));
  },
});

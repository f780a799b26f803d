import { defineCommand } from '../framework/define-command.ts';
import { readMomentAhead } from '../input/moments.ts';
import { presentPackageCell } from '../many/package-text.ts';

export const expirations = defineCommand('listExpirations', {
  name: 'expirations',
  examples: ['expirations --before 30d', 'expirations --after 2027-01-01 --before 2027-04-01'],
  flags: {
    before: {
      description: 'only approvals that expire before: a day or time, or 30d for the next 30 days',
      parse: (text) => ({ before: readMomentAhead(text) }),
    },
    after: {
      description: 'only approvals that expire after; now unless given',
      parse: (text) => ({ after: readMomentAhead(text) }),
    },
  },
  view: { columns: ['expires_at', 'package'], presentRow: presentPackageCell },
});

import type { ExpirationPage } from '../../shared/api/schemas/expiration.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { readMomentAhead } from '../input/moments.ts';
import { addUses, type RowUses } from '../many/project-uses.ts';
import { presentUses } from '../presentation/used-by.ts';

type Expiration = ExpirationPage['expirations'][number];

const presentExpiration = ({ expires_at, ...row }: Expiration & RowUses): object => ({
  ...{ expires_at, package: formatPackage(row) },
  ...presentUses(row),
});

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
  completeRows: addUses,
  view: { presentRow: presentExpiration },
});

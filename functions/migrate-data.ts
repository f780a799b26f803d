import * as z from 'zod';
import { dataFormat } from '../shared/api/data-format.ts';
import { customResource } from '../shared/platform/worker/custom-resource.ts';
import { isRollingBack } from '../shared/platform/worker/stack-status.ts';
import { acceptAnyFormat } from '../shared/storage/dynamodb/known-format.ts';
import { migrateTables } from '../shared/storage/migration/migrate-tables.ts';
import { migrations } from '../shared/storage/migration/migrations.ts';
import { MigrationRefusedError } from '../shared/storage/migration/plan-migration.ts';
import {
  type Refuse,
  refuseUnlessRollback,
} from '../shared/use-cases/deployment/refuse-unless-rollback.ts';
import { logEvent } from '../shared/util/log.ts';

/**
 * Milliseconds in which requests end that functions of the earlier release accepted, and in which their workers check the format
 * again.
 */
const drainMs = 20_000;

acceptAnyFormat();

export const handler = customResource(z.object({}), async (_, deadline, { stackId }) => {
  try {
    const changed = await migrateTables({ migrations, target: dataFormat, deadline, drainMs });
    logEvent('info', 'data_migrated', { format: dataFormat, changed });
  } catch (error) {
    if (!(error instanceof MigrationRefusedError)) throw error;
    const refuse: Refuse = (addition) => new MigrationRefusedError(`${error.message}${addition}`);
    await refuseUnlessRollback(refuse, () => isRollingBack(stackId));
    // The functions of the earlier release refuse the data, until a later deployment continues the migration.
    logEvent('error', 'data_not_rolled_back', { error });
  }
});

import * as z from 'zod';
import { dataFormat } from '../shared/api/data-format.ts';
import { customResource } from '../shared/platform/worker/custom-resource.ts';
import { acceptAnyFormat } from '../shared/storage/dynamodb/known-format.ts';
import { migrateTables } from '../shared/storage/migration/migrate-tables.ts';
import { migrations } from '../shared/storage/migration/migrations.ts';
import { logEvent } from '../shared/util/log.ts';

/** Milliseconds in which requests end that functions of the earlier release accepted. */
const drainMs = 20_000;

acceptAnyFormat();

export const handler = customResource(z.object({}), async (_, deadline) => {
  const changed = await migrateTables({ migrations, target: dataFormat, deadline, drainMs });
  logEvent('info', 'data_migrated', { format: dataFormat, changed });
});

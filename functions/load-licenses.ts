import * as z from 'zod';
import { LicensePolicy } from '../shared/api/schemas/license-policy.ts';
import { customResource } from '../shared/platform/worker/custom-resource.ts';
import { isRollingBack } from '../shared/platform/worker/stack-status.ts';
import { DataFormatError } from '../shared/storage/dynamodb/data-format-error.ts';
import { waitForFormat } from '../shared/storage/dynamodb/wait-for-format.ts';
import { refuseUnlessRollback } from '../shared/use-cases/deployment/refuse-unless-rollback.ts';
import { loadLicenses } from '../shared/use-cases/licensing/load-licenses.ts';
import { logEvent } from '../shared/util/log.ts';

const Properties = z.object({
  policy: z.string().transform((text) => LicensePolicy.parse(JSON.parse(text))),
});

export const handler = customResource(Properties, async ({ policy }, deadline, { stackId }) => {
  try {
    await waitForFormat(deadline);
    logEvent('info', 'licenses_loaded', { written: await loadLicenses(policy, deadline) });
  } catch (error) {
    if (!(error instanceof DataFormatError)) throw error;
    const refuse = (addition: string) => new Error(`${error.message}${addition}`, { cause: error });
    // After a migration, a failure would leave the stack in UPDATE_ROLLBACK_FAILED. The next deployment loads the licenses.
    await refuseUnlessRollback(refuse, () => isRollingBack(stackId));
    logEvent('error', 'licenses_not_rolled_back', { error });
  }
});

import * as z from 'zod';
import { LicensePolicy } from '../shared/api/schemas/license-policy.ts';
import { customResource } from '../shared/platform/worker/custom-resource.ts';
import { loadLicenses } from '../shared/use-cases/licensing/load-licenses.ts';
import { logEvent } from '../shared/util/log.ts';

const Properties = z.object({
  policy: z.string().transform((text) => LicensePolicy.parse(JSON.parse(text))),
});

export const handler = customResource(Properties, async ({ policy }, deadline) => {
  logEvent('info', 'licenses_loaded', { written: await loadLicenses(policy, deadline) });
});

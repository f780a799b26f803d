import * as z from 'zod';
import { logEvent } from '../shared/log.ts';
import { LicensePolicy } from '../shared/schemas/license-policy.ts';
import { loadLicenses } from '../shared/store/licenses/load-licenses.ts';
import { customResource } from '../shared/worker/custom-resource.ts';

const Properties = z.object({
  policy: z.string().transform((text) => LicensePolicy.parse(JSON.parse(text))),
});

export const handler = customResource(Properties, async ({ policy }, deadline) => {
  logEvent('info', 'licenses_loaded', { written: await loadLicenses(policy, deadline) });
});

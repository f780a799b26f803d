import * as z from 'zod';
import { loadLicenses } from '../shared/licensing/load-licenses.ts';
import { logEvent } from '../shared/log.ts';
import { LicensePolicy } from '../shared/schemas/license-policy.ts';
import { customResource } from '../shared/worker/custom-resource.ts';

const Properties = z.object({
  policy: z.string().transform((text) => LicensePolicy.parse(JSON.parse(text))),
});

export const handler = customResource(Properties, async ({ policy }, deadline) => {
  logEvent('info', 'licenses_loaded', { written: await loadLicenses(policy, deadline) });
});

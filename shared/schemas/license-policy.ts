import * as z from 'zod';
import { licenseCategories } from '../domain/licenses/category.ts';
import { licenseStatuses } from '../domain/licenses/status.ts';

const Status = z.enum(licenseStatuses, { error: `must be one of ${licenseStatuses.join(', ')}` });

/** What the organisation thinks of licenses before anyone decided on one: by category, and by identifier, which goes first. */
export const LicensePolicy = z.strictObject({
  categories: z.record(z.enum(licenseCategories), Status),
  licenses: z.record(z.string(), Status).default({}),
});
export type LicensePolicy = z.infer<typeof LicensePolicy>;

import * as z from 'zod';
import { licenseCategories } from '../domain/licenses/category.ts';
import { licenseStatuses } from '../domain/licenses/status.ts';

export { licenseCategories, licenseStatuses };

/**
 * What the organisation knows and thinks of a license. `compatible_with` lists the licenses B such that a work
 * released under B may contain code under this one; `incompatible_with` those where it may not.
 */
export const LicenseRecord = z.strictObject({
  name: z.string(),
  status: z.enum(licenseStatuses),
  category: z.enum(licenseCategories),
  compatible_with: z.array(z.string()),
  incompatible_with: z.array(z.string()),
  requires_attribution: z.boolean(),
  allows_commercial: z.boolean(),
  url: z.string(),
});
export type LicenseRecord = z.infer<typeof LicenseRecord>;

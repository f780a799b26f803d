import * as z from 'zod';
import { LicenseCategory, LicenseStatus } from './license-status.ts';
import { limitAndOffset, Search } from './query.ts';

export const LicensesQuery = z.strictObject({
  search: Search.optional(),
  status: LicenseStatus.describe('Only licenses with this status.').optional(),
  category: LicenseCategory.describe('Only licenses of this category.').optional(),
  ...limitAndOffset,
});
export type LicensesQuery = z.infer<typeof LicensesQuery>;

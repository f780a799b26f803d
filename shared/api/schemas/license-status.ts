import { licenseCategories } from '../../domain/licenses/category.ts';
import { licenseStatuses } from '../../domain/licenses/license-status.ts';
import { oneOf } from './one-of.ts';

export const LicenseStatus = oneOf(licenseStatuses);
export const LicenseCategory = oneOf(licenseCategories);

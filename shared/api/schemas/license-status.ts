import * as z from 'zod';
import { licenseCategories } from '../../domain/licenses/category.ts';
import { licenseStatuses } from '../../domain/licenses/status.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

export const LicenseStatus = oneOf(licenseStatuses);
export const LicenseCategory = oneOf(licenseCategories);

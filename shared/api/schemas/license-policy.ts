import * as z from 'zod';
import { licenseCategories } from '../../domain/licenses/category.ts';
import { licenseStatuses } from '../../domain/licenses/license-status.ts';
import type { LicensePolicy as DomainPolicy } from '../../domain/licenses/policy.ts';

const Status = z.enum(licenseStatuses, { error: `must be one of ${licenseStatuses.join(', ')}` });

/**
 * Returns an error function whose message is for values of a wrong type only. Other issues concern the fields inside.
 */
const explain =
  (message: string) =>
  ({ code }: { readonly code?: string }): string | undefined =>
    code === 'invalid_type' ? message : undefined;

/**
 * License policy: the organisation's default statuses, by category and by identifier. An identifier takes precedence.
 */
export const LicensePolicy = z.strictObject(
  {
    categories: z.record(z.enum(licenseCategories), Status, {
      error: explain('must be an object of a status for each category'),
    }),
    licenses: z
      .record(z.string(), Status, {
        error: explain('must be an object of a status for each license'),
      })
      .default({}),
  },
  { error: explain('must be an object of categories and licenses') },
) satisfies z.ZodType<DomainPolicy>;
export type LicensePolicy = z.infer<typeof LicensePolicy>;

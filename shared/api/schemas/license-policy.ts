import * as z from 'zod';
import { licenseCategories } from '../../domain/licenses/category.ts';
import type { LicensePolicy as DomainPolicy } from '../../domain/licenses/policy.ts';
import { licenseStatuses } from '../../domain/licenses/status.ts';

const Status = z.enum(licenseStatuses, { error: `must be one of ${licenseStatuses.join(', ')}` });

/** Speaks of the whole only where it is no object: all else is told of its parts. */
const explain =
  (message: string) =>
  ({ code }: { readonly code?: string }): string | undefined =>
    code === 'invalid_type' ? message : undefined;

/** What the organisation thinks of licenses before anyone decided on one: by category, and by identifier, which goes first. */
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

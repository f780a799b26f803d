import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Limit } from './query.ts';
import { Status } from './status.ts';
import { StatusFilter } from './version-query.ts';
import { VulnerabilityQuery } from './vulnerabilities-query.ts';

/** Page of the versions of a license. */
export const LicenseVersionsQuery = z.strictObject({
  status: StatusFilter.optional(),
  after: VulnerabilityQuery.shape.after,
  limit: Limit,
});
export type LicenseVersionsQuery = z.output<typeof LicenseVersionsQuery>;

const LicensedVersion = z
  .strictObject({ ecosystem: Ecosystem, name: z.string(), version: z.string(), status: Status })
  .describe(
    'A version that states the license. Names and versions are in their normalized spelling.',
  );

/** Versions that state a license. */
export const LicenseVersionPage = z
  .strictObject({
    packages: z.array(LicensedVersion),
    looked_at: z.int().nonnegative().describe('Number of versions that the request looked at.'),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe(
    'Versions that state a license, as submitted or upstream, by package. The list follows changes within seconds.',
  );
export type LicenseVersionPage = z.infer<typeof LicenseVersionPage>;

import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Status } from './status.ts';

/**
 * Version of a package. API Gateway decodes `+` in a query as a blank. No version has blanks, so they become `+` again.
 */
export const Version = z
  .string()
  .describe('Only this version, in any spelling that is equal in its ecosystem.')
  .transform((version) => version.replaceAll(' ', '+'));

export const EcosystemFilter = Ecosystem.describe('Only packages of this ecosystem.');
export const StatusFilter = Status.describe('Only versions with this status.');

/** Selection of versions of a name. A write needs exactly one match. */
export const VersionSelection = z.strictObject({
  ecosystem: EcosystemFilter.optional(),
  version: Version.optional(),
});
export type VersionSelection = z.infer<typeof VersionSelection>;

/** Filter for the versions of a name. */
export const VersionFilter = VersionSelection.extend({ status: StatusFilter.optional() });
export type VersionFilter = z.infer<typeof VersionFilter>;

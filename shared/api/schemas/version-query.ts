import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Status } from './status.ts';

/** API Gateway reads `+` in a query as a blank, and no version contains one. */
const Version = z
  .string()
  .describe('Only this version, in any spelling that its ecosystem takes for the same.')
  .transform((version) => version.replaceAll(' ', '+'));

export const EcosystemFilter = Ecosystem.describe('Only packages of this ecosystem.');
export const StatusFilter = Status.describe('Only versions of this status.');

/** Which version of a name is meant, where a write needs exactly one. */
export const VersionSelection = z.strictObject({
  ecosystem: EcosystemFilter.optional(),
  version: Version.optional(),
});
export type VersionSelection = z.infer<typeof VersionSelection>;

/** Which versions of a name are meant. */
export const VersionFilter = VersionSelection.extend({ status: StatusFilter.optional() });
export type VersionFilter = z.infer<typeof VersionFilter>;

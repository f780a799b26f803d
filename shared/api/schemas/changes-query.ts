import type * as z from 'zod';
import { Version, VersionSelection } from './version-query.ts';

/** Selection of a version, and of the earlier version that it is compared with. */
export const ChangesQuery = VersionSelection.extend({
  since: Version.optional().describe(
    'The version to compare with. Without it: the nearest approved version below, or else the version of the registry that was published last before.',
  ),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

import type * as z from 'zod';
import { limitAndOffset } from './query.ts';
import { VersionFilter } from './version-query.ts';

/** Filter and page for versions of a name, or for items of one version. */
export const VersionsQuery = VersionFilter.extend(limitAndOffset);
export type VersionsQuery = z.infer<typeof VersionsQuery>;

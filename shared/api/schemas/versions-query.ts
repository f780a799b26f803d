import type * as z from 'zod';
import { limitAndOffset } from './query.ts';
import { VersionFilter } from './version-query.ts';

/** Which page of the versions of a name, or of what belongs to one version. */
export const VersionsQuery = VersionFilter.extend(limitAndOffset);
export type VersionsQuery = z.infer<typeof VersionsQuery>;

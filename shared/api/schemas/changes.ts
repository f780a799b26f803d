import * as z from 'zod';
import { changeKinds } from '../../domain/changes/compare-releases.ts';
import { registryStatuses } from '../../domain/changes/registry-status.ts';
import { changeFields } from '../../domain/changes/release.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { Status } from './status.ts';

const Text = z.string().nullable();

/** Maximum number of changes in an answer. */
export const maxChanges = 200;

const ChangedField = z.enum(changeFields);

export const VersionChange = z
  .strictObject({
    field: ChangedField,
    change: z.enum(changeKinds),
    name: Text.describe(
      'The dependency, script, account or other entry. Null for a field with one value.',
    ),
    before: Text.describe('The earlier value. Null if there was none, or if the name says all.'),
    after: Text.describe('The value in this version. Null if there is none.'),
    registry_status: z
      .enum(registryStatuses)
      .nullable()
      .describe(
        'For an added dependency, or one of another package or source than before: `approved` if an approved version is in its range, `out_of_range` if all approved versions are outside, else the status of the newest submission. `unknown` if it was not looked up.',
      ),
    first_published_at: Timestamp.nullable().describe(
      'For an added dependency without an approved version: when its first version was published upstream. Null if it is unknown or if nobody asked.',
    ),
  })
  .describe('One change. Dependencies include optional and peer dependencies that are installed.');
export type VersionChange = z.infer<typeof VersionChange>;

/** What changed in a version since an earlier one, as it is stored beside the version. */
export const StoredChanges = z
  .strictObject({
    since: Text.describe('The version that it is compared with. Null if there is none.'),
    since_status: Status.nullable().describe(
      'The status of that version. Null if the registry does not have it: then it is the nearest one below that upstream published before.',
    ),
    published_at: Timestamp.nullable(),
    since_published_at: Timestamp.nullable(),
    previous: z
      .strictObject({ version: z.string(), published_at: Timestamp })
      .nullable()
      .describe(
        'The version that upstream published last before this one. Null if it is unknown or if there is none.',
      ),
    changes: z.array(VersionChange).max(maxChanges),
    change_count: z
      .int()
      .min(0)
      .describe(`Number of changes. The answer has the first ${maxChanges}.`),
    unknown: z
      .array(ChangedField)
      .describe('Fields that could not be compared, at least in part. All others are equal.'),
  })
  .describe('What changed in a version since an earlier one, according to stored metadata.');
export type StoredChanges = z.infer<typeof StoredChanges>;

/** What changed in a version since an earlier one. */
export const VersionChanges = z
  .strictObject({
    ...{ ecosystem: Ecosystem, name: z.string(), version: z.string() },
    ...StoredChanges.shape,
  })
  .describe('What changed in a version since an earlier one, according to stored metadata.');
export type VersionChanges = z.infer<typeof VersionChanges>;

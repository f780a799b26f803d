/** What can happen to a package version or a license. */
export const recordTypes = [
  'package.submitted',
  'package.approved',
  'package.rejected',
  'package.expired',
  'package.attention',
  'scan.retired',
  'license.decided',
] as const;
export type RecordType = (typeof recordTypes)[number];

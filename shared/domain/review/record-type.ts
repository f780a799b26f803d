/** Types of activity records about package versions, licenses and vulnerabilities. */
export const recordTypes = [
  'package.submitted',
  'package.approved',
  'package.rejected',
  'package.recalled',
  'package.released',
  'package.expired',
  'package.attention',
  'scan.dismissed',
  'license.decided',
  'vulnerability.accepted',
  'acceptance.ended',
] as const;
export type RecordType = (typeof recordTypes)[number];

/** Types of activity records that change the status of a version after its submission. */
export const decisionTypes = [
  'package.approved',
  'package.rejected',
  'package.recalled',
  'package.released',
  'package.expired',
  'package.restored',
] as const;

/** Types of activity records about package versions, licenses, vulnerabilities and the registry. */
export const recordTypes = [
  'package.submitted',
  ...decisionTypes,
  'package.attention',
  'package.commented',
  'project.affected',
  'scan.dismissed',
  'license.decided',
  'vulnerability.accepted',
  'acceptance.ended',
  'recall.confirmed',
  'recall.dismissed',
  'registry.frozen',
  'registry.unfrozen',
] as const;
export type RecordType = (typeof recordTypes)[number];

/** Review status of a license in the organisation. */
export const licenseStatuses = ['approved', 'conditional', 'rejected', 'unreviewed'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** Status of a license text. `unreadable` means that no license could be determined from the text. */
export const statedStatuses = [...licenseStatuses, 'unreadable'] as const;
export type GivenStatus = (typeof statedStatuses)[number];

/**
 * Statuses from best to worst for a user of the code. An unreviewed license may yet be approved, an unreadable one may
 * be any license, and a rejected one is certain.
 */
const fromBestToWorst: readonly GivenStatus[] = [
  'approved',
  'conditional',
  'unreviewed',
  'unreadable',
  'rejected',
];

/** Compares two statuses for sorting: negative if the first is better, positive if it is worse. */
export const compareStatuses = (first: GivenStatus, second: GivenStatus): number =>
  fromBestToWorst.indexOf(first) - fromBestToWorst.indexOf(second);

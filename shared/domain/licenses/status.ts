/** What the organisation decided about a license. */
export const licenseStatuses = ['approved', 'conditional', 'rejected', 'unreviewed'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** What is thought of a license as it is stated: of an unreadable one, nobody can tell which license it is. */
export const statedStatuses = [...licenseStatuses, 'unreadable'] as const;
export type StatedStatus = (typeof statedStatuses)[number];

/**
 * From the best for who wants to use the code: a license that nobody reviewed may yet be approved, an unreadable one may
 * be any, and a rejected one is certain.
 */
const fromBestToWorst: readonly StatedStatus[] = [
  'approved',
  'conditional',
  'unreviewed',
  'unreadable',
  'rejected',
];

/** Below 0 if the first status is the better one, above 0 if it is the worse. */
export const compareStatuses = (first: StatedStatus, second: StatedStatus): number =>
  fromBestToWorst.indexOf(first) - fromBestToWorst.indexOf(second);

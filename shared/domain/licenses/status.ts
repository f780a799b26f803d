/** What the organisation decided about a license. */
export const licenseStatuses = ['approved', 'conditional', 'rejected', 'unreviewed'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** From the best for who wants to use the code: a license that nobody reviewed may yet be approved. */
const fromBestToWorst: readonly LicenseStatus[] = [
  'approved',
  'conditional',
  'unreviewed',
  'rejected',
];

/** Below 0 if the first status is the better one, above 0 if it is the worse. */
export const compareStatuses = (first: LicenseStatus, second: LicenseStatus): number =>
  fromBestToWorst.indexOf(first) - fromBestToWorst.indexOf(second);

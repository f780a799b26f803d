/** The lists of reviews: each is a partition of the table `reviews`. No version key begins with `#`. */

/** Partition with the rows of pending versions, in the order of submission. */
export const pendingPartition = '#pending';

/**
 * Partition with the rows of pending updates and security fixes by the registry, before their first decision. One query of these
 * few rows finds the older updates. An expired approval has no row, so that it stays in the queue.
 */
export const updatesPartition = '#updates';

/** Partition with the rows of pending versions that have vulnerabilities or malware, the most severe first. */
export const severePartition = '#severe';

/** Partition with the rows of pending versions that several batches request, the most requested first. */
export const wantedPartition = '#wanted';

/** Partitions in which a version has a row only while it is pending. */
const pendingPartitions: readonly string[] = [
  pendingPartition,
  updatesPartition,
  severePartition,
  wantedPartition,
];

const prefixes = { batch: '#batch#', label: '#label#', license: '#license#' } as const;

/** Returns the partition with the rows of a batch. */
export const toBatchPartition = (batch: string): string => `${prefixes.batch}${batch}`;

/** Returns the partition with the rows of the versions that tokens of a label submitted. */
export const toLabelPartition = (label: string): string => `${prefixes.label}${label}`;

/** Returns the partition with the rows of the versions with a license, by the storage key of the license. */
export const toLicensePartition = (licenseKey: string): string =>
  `${prefixes.license}${licenseKey}`;

/** True if the partition has rows of reviews. */
export const isReviewsPartition = (v: string): boolean =>
  pendingPartitions.includes(v) || Object.values(prefixes).some((prefix) => v.startsWith(prefix));

/** True for a row that a version has only while it is pending. */
export const isPendingRow = ({ v }: { readonly v: string }): boolean =>
  pendingPartitions.includes(v);

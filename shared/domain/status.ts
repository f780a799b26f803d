export const statuses = ['pending', 'approved', 'rejected'] as const;

/** Where a package version stands in its review. */
export type Status = (typeof statuses)[number];

/** What a decision can lead to. Nothing returns to pending by itself. */
export type Decision = Exclude<Status, 'pending'>;

export const statuses = ['pending', 'approved', 'rejected'] as const;

/** Where a package version stands in its review. */
export type Status = (typeof statuses)[number];

/** What a decision can lead to. Only an approval that runs out returns to pending. */
export const decisions = ['approved', 'rejected'] as const satisfies readonly Status[];

export type Decision = (typeof decisions)[number];

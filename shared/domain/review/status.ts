export const statuses = ['pending', 'approved', 'rejected'] as const;

/** Review status of a package version. */
export type Status = (typeof statuses)[number];

/** Statuses that a decision can set. A version returns to pending only when its approval expires. */
export const decisions = ['approved', 'rejected'] as const satisfies readonly Status[];

export type Decision = (typeof decisions)[number];

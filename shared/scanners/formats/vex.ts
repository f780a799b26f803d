/** The statuses of VEX that say that a vulnerability does no harm (openvex.dev). */
const harmlessStatuses = ['not_affected', 'fixed'];

export const isHarmlessVexStatus = (status: string): boolean => harmlessStatuses.includes(status);

/** What a tool says of why, as one line: the parts that it has. */
export const joinReason = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(': ');

/** VEX statuses for which a vulnerability does not affect the version (openvex.dev). */
const harmlessStatuses = ['not_affected', 'fixed'];

export const isHarmlessVexStatus = (status: string): boolean => harmlessStatuses.includes(status);

/** Joins the given parts of a reason to one line. */
export const joinReason = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(': ');

/** Description of a vulnerability, shared by all versions that have it. */
export interface Description {
  /** Key of the version whose scans supplied the description; empty if that version no longer has the vulnerability. */
  readonly by: string;
  /** Id in the spelling of those scans. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly epss: number | null;
}

/** True if a description has more aliases than another one, or else a longer summary, or else a lower version key. */
const isRicher = (one: Description, other: Description): boolean =>
  (one.aliases.length - other.aliases.length ||
    one.summary.length - other.summary.length ||
    (one.by < other.by ? 1 : -1)) > 0;

/**
 * Returns the description of a vulnerability after a change of one version. A new description replaces a poorer one of
 * another version: one with fewer aliases, or else a shorter summary. It also replaces the old one of its own version,
 * and one without a version. Other descriptions are not stored.
 */
export const chooseDescription = (
  current: Description | undefined,
  next: Description | undefined,
  versionKey: string,
): Description | undefined => {
  const isOurs = current?.by === versionKey;
  if (!next) return current && isOurs ? { ...current, by: '' } : current;
  return !current || isOurs || current.by === '' || isRicher(next, current) ? next : current;
};

/** What is told of a vulnerability, whichever version has it. */
export interface Description {
  /** The key of the version whose scans tell it; empty where that has it no more. */
  readonly by: string;
  /** As they spell it. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly epss: number | null;
}

const isRicher = (one: Description, other: Description): boolean =>
  (one.aliases.length - other.aliases.length ||
    one.summary.length - other.summary.length ||
    (one.by < other.by ? 1 : -1)) > 0;

/** What is told after a version has told something else: by the version that tells most, as far as any has told since. */
export const chooseDescription = (
  current: Description | undefined,
  told: Description | undefined,
  versionKey: string,
): Description | undefined => {
  const isOurs = current?.by === versionKey;
  if (!told) return current && isOurs ? { ...current, by: '' } : current;
  return !current || isOurs || current.by === '' || isRicher(told, current) ? told : current;
};

export const ratings = ['critical', 'high', 'medium', 'low'] as const;

/** Severity ratings, worst first. */
export type Rating = (typeof ratings)[number];

export const severities = [...ratings, 'unrated'] as const;

/** A rating, or `unrated` if neither the report nor a CVSS vector rates a vulnerability. */
export type Severity = (typeof severities)[number];

/** Other words for ratings in databases. `info`, `negligible` and `none` still count as findings. */
const otherNames: ReadonlyMap<string, Rating> = new Map([
  ['important', 'high'],
  ['moderate', 'medium'],
  ['negligible', 'low'],
  ['info', 'low'],
  ['none', 'low'],
]);

/** Returns the rating that a word of a report means, in any case. Returns null for others, such as `UNKNOWN`. */
export const parseRating = (word: string): Rating | null => {
  const name = word.trim().toLowerCase();
  return ratings.find((rating) => rating === name) ?? otherNames.get(name) ?? null;
};

/** Returns FIRST's rating of a CVSS score from 0 to 10. A score of 0 counts as low, since it is still a finding. */
export const rateScore = (score: number): Rating => {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
};

/** Compares severities for sorting, worst first and unrated last. */
export const compareSeverities = (one: Severity, other: Severity): number =>
  severities.indexOf(one) - severities.indexOf(other);

/** Returns the worst of several ratings, or null if none exists. */
export const chooseWorstRating = (values: readonly (Rating | null)[]): Rating | null =>
  ratings.find((rating) => values.includes(rating)) ?? null;

/** Returns the worst severity, which is `unrated` only if all are. */
export const chooseSeverity = (values: readonly Severity[]): Severity =>
  severities.find((severity) => values.includes(severity)) ?? 'unrated';

export const ratings = ['critical', 'high', 'medium', 'low'] as const;

/** How bad somebody says that a vulnerability is, the worst first. */
export type Rating = (typeof ratings)[number];

export const severities = [...ratings, 'unrated'] as const;

/** A rating, or that nobody has rated a vulnerability: neither its report nor a CVSS vector. */
export type Severity = (typeof severities)[number];

/** Words that databases use beside the four. `info`, `negligible` and `none` are findings all the same. */
const otherNames: ReadonlyMap<string, Rating> = new Map([
  ['important', 'high'],
  ['moderate', 'medium'],
  ['negligible', 'low'],
  ['info', 'low'],
  ['none', 'low'],
]);

/** The rating that a word of a report means, in any case; null if it means none, as `UNKNOWN` does. */
export const parseRating = (word: string): Rating | null => {
  const name = word.trim().toLowerCase();
  return ratings.find((rating) => rating === name) ?? otherNames.get(name) ?? null;
};

/** The rating that FIRST gives a CVSS score from 0 to 10. What scores 0 is found all the same: it counts as low. */
export const rateScore = (score: number): Rating => {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
};

/** Sorts the worse first, and what nobody has rated last. */
export const compareSeverities = (one: Severity, other: Severity): number =>
  severities.indexOf(one) - severities.indexOf(other);

/** The worst of what several say; null where none of them rates it. */
export const chooseWorstRating = (told: readonly (Rating | null)[]): Rating | null =>
  ratings.find((rating) => told.includes(rating)) ?? null;

/** The worst rating; unrated only where all are. */
export const chooseSeverity = (told: readonly Severity[]): Severity =>
  severities.find((severity) => told.includes(severity)) ?? 'unrated';

export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** How bad a vulnerability is, the worst first. */
export type Severity = (typeof severities)[number];

/**
 * What a vulnerability counts as when nobody has rated it: neither its report nor a CVSS vector. Until somebody
 * does, it must stop a version as a bad one would, for it may be one.
 */
export const unratedSeverity: Severity = 'high';

/** Words that databases use beside the four. `info`, `negligible` and `none` are findings all the same. */
const otherNames: ReadonlyMap<string, Severity> = new Map([
  ['important', 'high'],
  ['moderate', 'medium'],
  ['negligible', 'low'],
  ['info', 'low'],
  ['none', 'low'],
]);

/** The severity that a word of a report means, in any case; null if it means none, as `UNKNOWN` does. */
export const parseSeverity = (word: string): Severity | null => {
  const name = word.trim().toLowerCase();
  return severities.find((severity) => severity === name) ?? otherNames.get(name) ?? null;
};

/** The rating that FIRST gives a CVSS score from 0 to 10. What scores 0 is found all the same: it counts as low. */
export const rateScore = (score: number): Severity => {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
};

/** Sorts the worse first. */
export const compareSeverities = (one: Severity, other: Severity): number =>
  severities.indexOf(one) - severities.indexOf(other);

/** The worst of them; null if none is known. */
export const chooseWorstSeverity = (found: readonly (Severity | null)[]): Severity | null =>
  severities.find((severity) => found.includes(severity)) ?? null;

import { calculateBaseScore } from 'cvss4';
import { scoreCvss2 } from './cvss-v2.ts';
import { limits } from './scan-limits.ts';
import { type Rating, rateScore } from './severity.ts';

/** CVSS rating. `version` is 2.0, 3.0, 3.1 or 4.0; `score` is from 0 to 10. */
export interface Cvss {
  version: string;
  vector: string;
  score: number;
}

const prefix = /^CVSS:(3\.0|3\.1|4\.0)\//;

const scoreVector = (vector: string): number | undefined => {
  try {
    const score = calculateBaseScore(vector);
    return Number.isFinite(score) ? score : undefined;
  } catch {
    // The library throws for invalid vectors.
    return undefined;
  }
};

/** Parses a CVSS vector of v2, v3.0, v3.1 or v4.0 and calculates its score. Returns null for other texts. */
export const readCvss = (text: string): Cvss | null => {
  if (text.length > limits.vectorLength) return null;
  const vector = text.trim().replace(/^\((.*)\)$/, '$1');
  const version = prefix.exec(vector)?.[1];
  const score = version ? scoreVector(vector) : scoreCvss2(vector);
  return score === undefined ? null : { version: version ?? '2.0', vector, score };
};

/** True for version 2, which has a different scale and was replaced. It applies only if no other rating exists. */
const isReplaced = ({ version }: Cvss): boolean => version === '2.0';

/** Returns the worst rating of any version, and the newest version of equal scores. Returns null for an empty list. */
export const chooseCvss = (ratings: readonly (Cvss | null)[]): Cvss | null =>
  ratings
    .filter((rating) => rating !== null)
    .sort(
      (one, other) =>
        Number(isReplaced(one)) - Number(isReplaced(other)) ||
        other.score - one.score ||
        other.version.localeCompare(one.version) ||
        (one.vector < other.vector ? -1 : 1),
    )[0] ?? null;

/** Returns the severity of a CVSS rating, or null without one. */
export const rateCvss = (cvss: Cvss | null): Rating | null => cvss && rateScore(cvss.score);

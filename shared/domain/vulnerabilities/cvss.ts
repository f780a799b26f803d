import { calculateBaseScore } from 'cvss4';
import { scoreCvss2 } from './cvss-v2.ts';
import { limits } from './scan-limits.ts';
import { type Rating, rateScore } from './severity.ts';

/** A CVSS rating: `version` is 2.0, 3.0, 3.1 or 4.0, `score` goes from 0 to 10. */
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
    // The library throws at what is no vector.
    return undefined;
  }
};

/** The rating that a vector stands for, its score calculated; null if it is no CVSS vector of v2, v3.0, v3.1 or v4.0. */
export const readCvss = (text: string): Cvss | null => {
  if (text.length > limits.vectorLength) return null;
  const vector = text.trim().replace(/^\((.*)\)$/, '$1');
  const version = prefix.exec(vector)?.[1];
  const score = version ? scoreVector(vector) : scoreCvss2(vector);
  return score === undefined ? null : { version: version ?? '2.0', vector, score };
};

/** Version 2 has another scale, and was replaced: it counts where there is nothing else. */
const isReplaced = ({ version }: Cvss): boolean => version === '2.0';

/** The worst rating, whichever version it is of; of equally bad ones that of the newest. Null if there is none. */
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

/** What a vector comes to; null without one. */
export const rateCvss = (cvss: Cvss | null): Rating | null => cvss && rateScore(cvss.score);

import * as z from 'zod';
import { type Cvss, chooseCvss, readCvss } from '../../domain/vulnerabilities/cvss.ts';
import {
  chooseWorstRating,
  parseRating,
  type Rating,
  rateScore,
} from '../../domain/vulnerabilities/severity.ts';

export const CycloneDxRating = z.object({
  source: z.object({ name: z.string().nullish() }).nullish(),
  method: z.string().nullish(),
  severity: z.string().nullish(),
  score: z.number().nullish(),
  vector: z.string().nullish(),
});
type CycloneDxRating = z.infer<typeof CycloneDxRating>;

interface Rated {
  readonly source?: { readonly name?: string | null | undefined } | null | undefined;
  readonly ratings?: readonly CycloneDxRating[] | null | undefined;
}

/** Vector prefix by the method of a rating. Some tools omit it. */
const prefixes: Readonly<Record<string, string>> = {
  CVSSv3: 'CVSS:3.0/',
  CVSSv31: 'CVSS:3.1/',
  CVSSv4: 'CVSS:4.0/',
};

const readVector = ({ method, vector }: CycloneDxRating): Cvss | null => {
  const written = vector ?? '';
  return readCvss(written) ?? readCvss(`${prefixes[method ?? ''] ?? ''}${written}`);
};

/** Returns the severity of a CVSS score. Other methods, such as EPSS, have other scales. */
const rateByScore = ({ method, score }: CycloneDxRating): Rating | null =>
  method?.startsWith('CVSS') && typeof score === 'number' ? rateScore(score) : null;

const isReplaced = ({ method }: CycloneDxRating): boolean => method === 'CVSSv2';

/** Returns the severity in words, or else by score. CVSS version 2 counts only without other ratings. */
const rate = (ratings: readonly CycloneDxRating[]): Rating | null => {
  const current = ratings.filter((rating) => !isReplaced(rating));
  for (const some of [current, ratings]) {
    const severity =
      chooseWorstRating(some.map(({ severity: word }) => parseRating(word ?? ''))) ??
      chooseWorstRating(some.map(rateByScore));
    if (severity) return severity;
  }
  return null;
};

const isEpss = ({ method, source }: CycloneDxRating): boolean =>
  /^epss$/i.test(method ?? '') || (method === 'other' && /\bepss\b/i.test(source?.name ?? ''));

/**
 * Returns EPSS probabilities from ratings. The method is `EPSS` in Grype's documents, or `other` according to the
 * schema.
 */
export const listEpss = ({ ratings }: Rated): number[] =>
  (ratings ?? []).filter(isEpss).flatMap(({ score }) => score ?? []);

/** True if the vulnerability is in CISA's KEV catalogue. Grype writes this as a rating with score 1. */
export const isKnownExploited = ({ ratings }: Rated): boolean =>
  (ratings ?? []).some(
    ({ method, source, score }) =>
      method === 'other' && score === 1 && /\bkev\b/i.test(source?.name ?? ''),
  );

/** Returns the rating by the vulnerability's source, such as a distribution, or else the worst rating. */
export const readRatings = ({
  source,
  ratings,
}: Rated): { readonly severity: Rating | null; readonly cvss: Cvss | null } => {
  const all = ratings ?? [];
  const own = all.filter((rating) => source?.name && rating.source?.name === source.name);
  return {
    severity: rate(own) ?? rate(all),
    cvss: chooseCvss(own.map(readVector)) ?? chooseCvss(all.map(readVector)),
  };
};

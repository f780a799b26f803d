import * as z from 'zod';
import { type Cvss, chooseCvss, readCvss } from '../domain/scans/cvss.ts';
import {
  chooseWorstSeverity,
  parseSeverity,
  rateScore,
  type Severity,
} from '../domain/scans/severity.ts';

export const CycloneDxRating = z.object({
  source: z.object({ name: z.string().nullish() }).nullish(),
  method: z.string().nullish(),
  severity: z.string().nullish(),
  score: z.number().nullish(),
  vector: z.string().nullish(),
});
type Rating = z.infer<typeof CycloneDxRating>;

interface Rated {
  readonly source?: { readonly name?: string | null | undefined } | null | undefined;
  readonly ratings?: readonly Rating[] | null | undefined;
}

/** What a vector begins with, by the method that a rating names. Some leave it away. */
const prefixes: Readonly<Record<string, string>> = {
  CVSSv3: 'CVSS:3.0/',
  CVSSv31: 'CVSS:3.1/',
  CVSSv4: 'CVSS:4.0/',
};

const readVector = ({ method, vector }: Rating): Cvss | null => {
  const written = vector ?? '';
  return readCvss(written) ?? readCvss(`${prefixes[method ?? ''] ?? ''}${written}`);
};

/** Other methods, such as EPSS's likelihood, have other scales. */
const rateByScore = ({ method, score }: Rating): Severity | null =>
  method?.startsWith('CVSS') && typeof score === 'number' ? rateScore(score) : null;

const isReplaced = ({ method }: Rating): boolean => method === 'CVSSv2';

/** By the words of the ratings, else by their scores; by those of CVSS version 2 where there are no others. */
const rate = (ratings: readonly Rating[]): Severity | null => {
  const current = ratings.filter((rating) => !isReplaced(rating));
  for (const some of [current, ratings]) {
    const severity =
      chooseWorstSeverity(some.map(({ severity: word }) => parseSeverity(word ?? ''))) ??
      chooseWorstSeverity(some.map(rateByScore));
    if (severity) return severity;
  }
  return null;
};

/** The rating by whoever tells of the vulnerability, such as a distribution; else the worst by anybody. */
export const readRatings = ({
  source,
  ratings,
}: Rated): { readonly severity: Severity | null; readonly cvss: Cvss | null } => {
  const all = ratings ?? [];
  const own = all.filter((rating) => source?.name && rating.source?.name === source.name);
  return {
    severity: rate(own) ?? rate(all),
    cvss: chooseCvss(own.map(readVector)) ?? chooseCvss(all.map(readVector)),
  };
};

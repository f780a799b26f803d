import { isDeepStrictEqual } from 'node:util';
import { type Status, statuses } from '../../domain/review/status.ts';
import { compareSeverities, type Severity } from '../../domain/vulnerabilities/severity.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import type { AffectedRow } from './affected.ts';
import { chooseDescription, type Description } from './description.ts';
import { toCounterKey } from './vulnerability-keys.ts';

/** Of which versions a list tells. */
export const scopes = ['all', 'approved'] as const;
export type Scope = (typeof scopes)[number];

/** How many versions there are of something: of all, and of those that are approved. */
export type VersionCount = Readonly<Record<Scope, number>>;

/** What is counted of a vulnerability under one of its ids. */
export interface VulnerabilityCounter {
  readonly v: string;
  readonly k: string;
  /** Another one with each change. */
  readonly stamp: string;
  /** How many versions have it, by where they stand. */
  readonly statuses: Readonly<Record<Status, number>>;
  /** How many versions it harms, by `<severity>/<CVSS score>`: so the worst is exact, whichever come and go. */
  readonly ratings: Readonly<Record<string, VersionCount>>;
  /** How many versions it harms that show it under this id. */
  readonly preferred: VersionCount;
  /** How many versions it harms whose scans say that somebody has seen it exploited. */
  readonly exploited: VersionCount;
  readonly telling: Description;
}

/** As far as it follows from the versions alone. */
export type Counts = Pick<VulnerabilityCounter, 'statuses' | 'ratings' | 'preferred' | 'exploited'>;

export const countersTable = defineTable<VulnerabilityCounter>('reviews');

/** What is counted of a vulnerability, under any of its ids; undefined where no version has it. */
export const readVulnerabilityCounter = (id: string): Promise<VulnerabilityCounter | undefined> =>
  getItem(countersTable, toCounterKey(id));

/** How many versions there are of each status, in one order: DynamoDB keeps none of names. */
export const showStatuses = ({
  approved,
  pending,
  rejected,
}: Readonly<Record<Status, number>>): Record<Status, number> => ({ approved, pending, rejected });

const none: VersionCount = { all: 0, approved: 0 };

export const noCounts: Counts = {
  statuses: { pending: 0, approved: 0, rejected: 0 },
  ratings: {},
  preferred: none,
  exploited: none,
};

const addTo = (count: VersionCount, { status }: AffectedRow, step: number): VersionCount => ({
  all: count.all + step,
  approved: count.approved + (status === 'approved' ? step : 0),
});

const toRating = ({ severity, score }: AffectedRow): string => `${severity}/${score ?? ''}`;

/** Counts a version in or out. One that it does not harm counts by its status alone. */
export const addRow = (counts: Counts, row: AffectedRow, step: 1 | -1): Counts => {
  const { status, preferred, known_exploited, not_affecting } = row;
  const sums = { ...counts.statuses, [status]: counts.statuses[status] + step };
  if (not_affecting) return { ...counts, statuses: sums };
  const { [toRating(row)]: rated = none, ...others } = counts.ratings;
  const rating = addTo(rated, row, step);
  return {
    statuses: sums,
    ratings: isDeepStrictEqual(rating, none) ? others : { ...others, [toRating(row)]: rating },
    preferred: preferred ? addTo(counts.preferred, row, step) : counts.preferred,
    exploited: known_exploited ? addTo(counts.exploited, row, step) : counts.exploited,
  };
};

/** How many versions have it. */
export const countVersions = (counts: Counts): number =>
  statuses.reduce((sum, status) => sum + counts.statuses[status], 0);

/** A version's row under one of the ids as it was, and as it is to be; undefined where there is none. */
export interface RowChange {
  readonly before: AffectedRow | undefined;
  readonly after: AffectedRow | undefined;
}

/** What follows from the versions for what is counted. */
const changeCounts = (counts: Counts, { before, after }: RowChange): Counts => {
  const without = before ? addRow(counts, before, -1) : counts;
  return after ? addRow(without, after, 1) : without;
};

/** Counts a change of one version, of which `told` is told; undefined where no version is left. */
export const changeCounter = (
  counter: VulnerabilityCounter | undefined,
  change: RowChange & { readonly versionKey: string; readonly told: Description | undefined },
): Omit<VulnerabilityCounter, 'v' | 'k' | 'stamp'> | undefined => {
  const counts = changeCounts(counter ? pickCounts(counter) : noCounts, change);
  const telling = chooseDescription(counter?.telling, change.told, change.versionKey);
  return telling && countVersions(counts) > 0 ? { ...counts, telling } : undefined;
};

export const pickCounts = ({ statuses, ratings, preferred, exploited }: Counts): Counts => ({
  ...{ statuses, ratings, preferred, exploited },
});

/** How bad a vulnerability is. */
export interface Rated {
  readonly severity: Severity;
  readonly score: number | null;
}

const readRating = (rating: string): Rated => {
  const [severity, score] = rating.split('/');
  return { severity: severity as Severity, score: score ? Number(score) : null };
};

/** The worst that it is to any version; undefined where it harms none. */
export const findWorst = ({ ratings }: Counts, scope: Scope): Rated | undefined =>
  Object.entries(ratings)
    .filter(([, count]) => count[scope] > 0)
    .map(([rating]) => readRating(rating))
    .sort(
      (one, other) =>
        compareSeverities(one.severity, other.severity) || (other.score ?? -1) - (one.score ?? -1),
    )[0];

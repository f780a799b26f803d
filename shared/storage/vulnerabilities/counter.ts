import { isDeepStrictEqual } from 'node:util';
import { type Status, statuses } from '../../domain/review/status.ts';
import { compareSeverities, type Severity } from '../../domain/vulnerabilities/severity.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import type { AffectedRow } from './affected.ts';
import { chooseDescription, type Description } from './description.ts';
import { toCounterKey } from './vulnerability-keys.ts';

/** Versions that a list covers. */
export const scopes = ['all', 'approved'] as const;
export type Scope = (typeof scopes)[number];

/** Numbers of versions: of all, and of the approved ones. */
export type VersionCount = Readonly<Record<Scope, number>>;

/** Counter of the versions that have a vulnerability, under one of its ids. */
export interface VulnerabilityCounter {
  readonly v: string;
  readonly k: string;
  /** New id with each change, for the optimistic lock. */
  readonly stamp: string;
  /** Numbers of versions that have the vulnerability, by status. */
  readonly statuses: Readonly<Record<Status, number>>;
  /** Numbers of affected versions, by `<severity>/<CVSS score>`. The highest rating stays exact after each change. */
  readonly ratings: Readonly<Record<string, VersionCount>>;
  /** Numbers of affected versions that show the vulnerability under this id. */
  readonly preferred: VersionCount;
  /** Numbers of affected versions whose scans report exploitation in the wild. */
  readonly exploited: VersionCount;
  /** Description of the vulnerability in lists. */
  readonly description: Description;
}

/** Fields of a counter that follow from the rows of versions alone. */
export type Counts = Pick<VulnerabilityCounter, 'statuses' | 'ratings' | 'preferred' | 'exploited'>;

export const countersTable = defineTable<VulnerabilityCounter>('reviews');

/** Returns the counter of a vulnerability, by any of its ids; undefined if no version has the vulnerability. */
export const readVulnerabilityCounter = (id: string): Promise<VulnerabilityCounter | undefined> =>
  getItem(countersTable, toCounterKey(id));

/** Returns the numbers of versions by status, in a fixed order: DynamoDB does not preserve the order of names. */
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

/** Returns the counts with a version added or removed. A version that is not affected counts by its status alone. */
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

/** Returns the number of versions that have the vulnerability. */
export const countVersions = (counts: Counts): number =>
  statuses.reduce((sum, status) => sum + counts.statuses[status], 0);

/** Row of a version under one id, before and after a change; undefined if there is none. */
export interface RowChange {
  readonly before: AffectedRow | undefined;
  readonly after: AffectedRow | undefined;
}

/** Returns the counts after the change of one row. */
const changeCounts = (counts: Counts, { before, after }: RowChange): Counts => {
  const without = before ? addRow(counts, before, -1) : counts;
  return after ? addRow(without, after, 1) : without;
};

/**
 * Returns the counter after the change of one version; undefined if no version is left. `description` is the description from
 * that version's scans.
 */
export const changeCounter = (
  counter: VulnerabilityCounter | undefined,
  change: RowChange & {
    readonly versionKey: string;
    readonly description: Description | undefined;
  },
): Omit<VulnerabilityCounter, 'v' | 'k' | 'stamp'> | undefined => {
  const counts = changeCounts(counter ? pickCounts(counter) : noCounts, change);
  const description = chooseDescription(
    counter?.description,
    change.description,
    change.versionKey,
  );
  return description && countVersions(counts) > 0 ? { ...counts, description } : undefined;
};

export const pickCounts = ({ statuses, ratings, preferred, exploited }: Counts): Counts => ({
  ...{ statuses, ratings, preferred, exploited },
});

/** Severity and CVSS score of a vulnerability. */
export interface Rated {
  readonly severity: Severity;
  readonly score: number | null;
}

const readRating = (rating: string): Rated => {
  const [severity, score] = rating.split('/');
  return { severity: severity as Severity, score: score ? Number(score) : null };
};

/** Returns the highest rating among the affected versions of a scope; undefined if no version is affected. */
export const findWorst = ({ ratings }: Counts, scope: Scope): Rated | undefined =>
  Object.entries(ratings)
    .filter(([, count]) => count[scope] > 0)
    .map(([rating]) => readRating(rating))
    .sort(
      (one, other) =>
        compareSeverities(one.severity, other.severity) || (other.score ?? -1) - (one.score ?? -1),
    )[0];

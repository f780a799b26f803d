import { type Severity, severities } from '../vulnerabilities/severity.ts';
import { maxBatches } from './batches.ts';

/** Orders of a list of reviews: by the time of submission, by the worst vulnerability, or by the number of batches. */
export const reviewOrders = ['submitted_at', '-submitted_at', 'severity', 'demand'] as const;

export type ReviewOrder = (typeof reviewOrders)[number];

/** Beginnings of the cursors of lists that are not in the order of submission alone. */
export const cursorMarks = { severe: 's:', wanted: 'w:', others: 'p:', versions: 'n:' } as const;

/** Returns the cursor without its mark and rank: a time and a version key, as in the order of submission. */
export const stripMark = (cursor: string): string => cursor.replace(/^(?:s:\d|w:\d\d|p:)/, '');

/** Matches the cursor of a list of one package: the sequence number of a submission. */
export const versionsCursor = /^n:[0-9a-z]{8}$/;

/** Returns the marks of the cursors of an order; none for the order of submission. */
export const listMarks = (order: ReviewOrder): readonly string[] => {
  if (order === 'severity') return [cursorMarks.severe, cursorMarks.others];
  return order === 'demand' ? [cursorMarks.wanted, cursorMarks.others] : [];
};

/** Returns the rank of versions that a number of batches request, `00` for the most. Text, so that ranks sort in keys. */
export const rankDemand = (demand: number): string => String(maxBatches - demand).padStart(2, '0');

/** Returns the ranks of versions that at least a number of batches request, and at least two. */
export const listDemandRanks = (demand: number): string[] => {
  const least = Math.max(2, demand);
  return Array.from({ length: maxBatches - least + 1 }, (_, at) => rankDemand(maxBatches - at));
};

/** Issues of versions that the list of severe versions has. */
const severeIssues: readonly unknown[] = ['malware', 'scan_failed'];

/** Filters by which a list with ranks leaves out ranks. */
interface RankFilters {
  readonly severity?: Severity | undefined;
  readonly issue?: string | undefined;
  readonly demand: number;
}

/** Returns the ranks of the severe versions that may match a query; undefined if others may match, too. */
export const listSevereRanks = ({
  severity,
  issue,
}: Omit<RankFilters, 'demand'>): string[] | undefined => {
  if (severity === undefined && !severeIssues.includes(issue)) return undefined;
  // A version with unrated vulnerabilities has the rank of the worst rated one.
  const last = severity === undefined ? -1 : severities.indexOf(severity);
  const ranks = severities.map((_, rank) => String(rank));
  return last < 0 ? ranks : ranks.slice(0, last + 1);
};

const listFilteredRanks = (order: ReviewOrder, filters: RankFilters): string[] | undefined => {
  if (order === 'severity') return listSevereRanks(filters);
  return order === 'demand' && filters.demand > 1 ? listDemandRanks(filters.demand) : undefined;
};

/** True if a cursor of a list with ranks is in the ranks that filters leave: DynamoDB refuses another start key. */
export const isInRanks = (cursor: string, order: ReviewOrder, filters: RankFilters): boolean => {
  const ranks = listFilteredRanks(order, filters);
  if (!ranks) return true;
  const [mark = ''] = listMarks(order);
  return ranks.some((rank) => cursor.startsWith(`${mark}${rank}`));
};

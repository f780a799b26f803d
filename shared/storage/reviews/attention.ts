import type { AttentionPage } from '../../api/schemas/attention.ts';
import type { AttentionQuery } from '../../api/schemas/attention-query.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type FactsSummary, findWithdrawal, type Withdrawal } from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Recall } from '../../domain/recalls/recall.ts';
import type { AttentionReason } from '../../domain/review/attention.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import {
  addCounts,
  countAt,
  findStandingStatus,
  noCounts,
  type ScanSummary,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { type Severity, severities } from '../../domain/vulnerabilities/severity.ts';
import type { SeverityCounts } from '../../domain/vulnerabilities/severity-counts.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/**
 * Row of a version that needs attention: a recall, or failed scans, changed files, or a removed, yanked or deprecated release of an
 * approved version. If scans fail only after a risk acceptance expires, the row exists earlier, so that the expiry needs no write.
 */
export interface AttentionItem extends PackageId {
  readonly v: string;
  readonly k: string;
  /** Start of the need for attention, ISO 8601. */
  readonly since: string;
  /** Expiry of the approval, which also ends the need for attention; null if the approval never expires, and for a recall. */
  readonly expires_at: string | null;
  /** Severity counts from `since` on. */
  readonly severity: SeverityCounts;
  readonly reasons: readonly AttentionReason[];
  /** Id of the record that recalled the version; absent for approved versions. */
  readonly recall?: string;
}

export const attentionTable = defineTable<AttentionItem>('reviews');

/** Partition of the attention rows. No version key begins with `#`. */
export const attentionPartition = '#attention';

/** True if an attention row, by its sort key, is due; other rows wait for the expiry of an acceptance. */
export const isAttentionDue = (key: string | null | undefined, at: string): boolean =>
  typeof key === 'string' && key.slice(1, 1 + at.length) <= at;

/** Part of a review state that decides if the version needs attention. */
interface Attended extends ScanSummary {
  readonly status: Status;
  readonly expires_at: string | null;
  /** Key of the version's attention row; null if there is none. */
  readonly attention: string | null;
  readonly facts: FactsSummary | null;
  readonly known_withdrawal: Withdrawal;
  /** Recall in force; null or absent if there is none. */
  readonly recall?: Recall | null;
}

interface Viewpoint {
  readonly now: Date;
  readonly policy: ScanPolicy;
}

/** Returns the times at which the counts change: now, and each expiry of a risk acceptance. */
const listMoments = ({ accepted }: ScanSummary, now: Date): Date[] => [
  now,
  ...accepted.map(({ until }) => new Date(until)).filter((until) => until > now),
];

/** Returns the start time in the key of a row. The rank before it is one character. */
const readSince = (key: string): string => key.slice(1, key.indexOf('#'));

const findWorst = (counts: SeverityCounts): Severity =>
  severities.find((severity) => counts[severity] > 0) ?? 'unrated';

/** Returns the reasons that are newer than the current decision: changed files, removed upstream, yanked, deprecated. */
const listWithdrawals = ({ facts, known_withdrawal }: Attended) => {
  const { removed, yanked, deprecated } = findWithdrawal(facts);
  return [
    ...(facts?.content_changed ? (['content_changed'] as const) : []),
    ...(removed && !known_withdrawal.removed ? (['removed'] as const) : []),
    ...(yanked && !known_withdrawal.yanked ? (['yanked'] as const) : []),
    ...(deprecated && !known_withdrawal.deprecated ? (['deprecated'] as const) : []),
  ];
};

/** Rank of recalled versions. It sorts before the others, which are digits. */
const recallRank = '-';

/** All ranks, in the order of the list. */
const ranks: readonly string[] = [recallRank, ...severities.keys()].map(String);

/** Severity to which each reason of an approved version is equal in rank. */
const equalSeverities: Readonly<
  Record<Exclude<AttentionReason, 'recalled' | 'scan_failed'>, Severity>
> = {
  content_changed: 'critical',
  removed: 'critical',
  yanked: 'high',
  deprecated: 'low',
};

const findRank = (
  reasons: readonly Exclude<AttentionReason, 'recalled'>[],
  counts: SeverityCounts,
): number =>
  Math.min(
    ...reasons.map((reason) =>
      severities.indexOf(reason === 'scan_failed' ? findWorst(counts) : equalSeverities[reason]),
    ),
  );

/** Returns the attention row of a recalled version. It stays until a person decides, or the recall ends. */
const makeRecallRow = (
  { ecosystem, name, version }: PackageId,
  head: ScanSummary,
  { record, at }: Recall,
  now: Date,
): AttentionItem => ({
  v: attentionPartition,
  k: `${recallRank}${at}#${toVersionKey({ ecosystem, name, version })}`,
  since: at,
  expires_at: null,
  ...{ severity: countAt(head, now), reasons: ['recalled'], recall: record },
  ...{ ecosystem, name, version },
});

/** Returns the attention row that a version must have; undefined if it must have none. */
export const makeAttentionRow = (
  id: PackageId,
  head: Attended,
  { now, policy }: Viewpoint,
): AttentionItem | undefined => {
  if (head.status === 'rejected' && head.recall) return makeRecallRow(id, head, head.recall, now);
  if (head.status !== 'approved') return undefined;
  const fails = (moment: Date): boolean =>
    findStandingStatus(head, { now: moment, policy }) === 'failed';
  const withdrawals = listWithdrawals(head);
  const from = withdrawals.length > 0 ? now : listMoments(head, now).find(fails);
  if (!from) return undefined;
  const reasons = [...(fails(from) ? (['scan_failed'] as const) : []), ...withdrawals];
  const severity = countAt(head, from);
  const known = head.attention && readSince(head.attention);
  // A current need keeps its start time; a new or future need gets its own.
  const isNeeded = from <= now && known !== null && known <= now.toISOString();
  const since = isNeeded ? known : from.toISOString();
  const { ecosystem, name, version } = id;
  return {
    v: attentionPartition,
    k: `${findRank(reasons, severity)}${since}#${toVersionKey(id)}`,
    since,
    expires_at: head.expires_at,
    ...{ severity, reasons },
    ...{ ecosystem, name, version },
  };
};

const toKey = (k: string) => ({ v: attentionPartition, k });

/** Returns the writes that replace a version's attention row. There are none if it had no row and needs none. */
export const moveAttention = (before: string | null, row: AttentionItem | undefined): Write[] => [
  ...(before !== null && before !== row?.k ? [deleteItem(attentionTable, toKey(before))] : []),
  ...(row ? [putItem(attentionTable, row)] : []),
];

/** Most rows of each rank in the first round trip: enough for a page of usual length. */
const firstRows = 101;
/** Fewest rows of each further call. */
const rowsAtATime = 100;
/** Rows that one request looks at before it ends; the last call may add some. */
const mostLookedAt = 2000;
/** Most read units of one row. */
const unitsARow = 1;

interface Stretch {
  /** Key after which the list continues, or only the rank. */
  readonly after: string;
  readonly now: Date;
  readonly count: number;
}

/** Rows of a rank, and the key after which the rank continues; undefined at its end. */
interface RankPart {
  readonly rows: readonly AttentionItem[];
  readonly next: string | undefined;
}

/**
 * Returns the next rows of a rank that need attention now, from one query. Rows with a later start sort after them, and are not
 * read.
 */
const readRank = async (rank: string, { after, now, count }: Stretch): Promise<RankPart> => {
  // The time in a key is followed by `#`, which sorts between ` ` and `~`.
  const [first, last] = [`${after} `, `${rank}${now.toISOString()}~`];
  // DynamoDB refuses a range that ends before it begins.
  if (last < first) return { rows: [], next: undefined };
  const { items, next } = await queryPage(
    attentionTable,
    {
      KeyConditionExpression: 'v = :attention AND k BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':attention': attentionPartition,
        ':first': first,
        ':last': last,
      },
    },
    { limit: count, unitsAnItem: unitsARow },
  );
  const rows = items.filter(
    ({ expires_at }) => statusAt({ status: 'approved', expires_at }, now) === 'approved',
  );
  return { rows, next: next && items.at(-1)?.k };
};

/** Rows of a page of the list. */
interface LookedAt {
  /** The first rows that match, in the order of the list: one more than the page has, or fewer at the end. */
  readonly found: readonly AttentionItem[];
  /** Keys of all rows up to the last one that was looked at. */
  readonly keys: readonly string[];
  /** True if a filter left rows of the list for the next page. */
  readonly isCut: boolean;
}

/**
 * Returns the first `count` rows from a key on that match, or a few more. All ranks are read in parallel, and long ones
 * further, up to 2,000 rows.
 */
const lookAt = async (
  { after, now, count }: Stretch,
  isWanted: (row: AttentionItem) => boolean,
): Promise<LookedAt> => {
  // A page continues in the rank in which the previous page ended.
  const left = ranks.filter((rank) => rank >= after.slice(0, 1));
  const parts = await Promise.all(
    left.map(async (rank) => {
      const start = { after: after.startsWith(rank) ? after : rank, now };
      return { rank, ...(await readRank(rank, { ...start, count: Math.min(count, firstRows) })) };
    }),
  );
  const found: AttentionItem[] = [];
  const keys: string[] = [];
  const take = (rows: readonly AttentionItem[]): void => {
    found.push(...rows.filter(isWanted));
    keys.push(...rows.map(({ k }) => k));
  };
  const isFull = (): boolean => found.length >= count || keys.length >= mostLookedAt;
  for (const { rank, rows, next } of parts) {
    if (isFull()) return { found, keys, isCut: true };
    take(rows);
    let start = next;
    while (start !== undefined && !isFull()) {
      const most = Math.max(count - found.length, rowsAtATime);
      const more = await readRank(rank, { after: start, now, count: most });
      take(more.rows);
      start = more.next;
    }
    if (start !== undefined) return { found, keys, isCut: true };
  }
  return { found, keys, isCut: false };
};

const createFilter = ({ reason, ecosystem, search = '' }: Partial<AttentionQuery>) => {
  const wanted = search.trim().toLowerCase();
  return (row: AttentionItem): boolean =>
    (reason === undefined || row.reasons.includes(reason)) &&
    (ecosystem === undefined || row.ecosystem === ecosystem) &&
    row.name.toLowerCase().includes(wanted);
};

/**
 * Returns a page of versions that need attention now: recalled ones first, then the most severe, then the oldest need. Makes
 * one round trip for up to 100 rows. With a filter, it looks at about 2,000 rows, and `complete` shows whether the list has more.
 */
export const listAttention = async (
  { after = '', limit, ...filters }: AttentionQuery,
  now: Date,
): Promise<AttentionPage> => {
  // One extra row shows if there is another page.
  const stretch = { after, now, count: limit + 1 };
  const { found, keys, isCut } = await lookAt(stretch, createFilter(filters));
  const shown = takeFitting(found.slice(0, limit));
  const rest = isCut && found.length < stretch.count ? (keys.at(-1) ?? null) : null;
  const next = found.length > shown.length ? (shown.at(-1)?.k ?? null) : rest;
  return {
    attention: shown.map(
      ({ ecosystem, name, version, since, severity, reasons, recall = null }) => ({
        ...{ ecosystem, name, version, since, reasons: [...reasons], recall },
        // DynamoDB does not preserve the order of names.
        severity: { ...addCounts(noCounts, severity) },
      }),
    ),
    looked_at: next === null ? keys.length : keys.indexOf(next) + 1,
    complete: next === null,
    next,
  };
};

import type { AttentionPage } from '../../api/schemas/attention.ts';
import type { AttentionQuery } from '../../api/schemas/attention-query.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type FactsSummary, findWithdrawal, type Withdrawal } from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { AttentionReason } from '../../domain/review/attention.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import type { SeverityCounts } from '../../domain/vulnerabilities/scan-source.ts';
import {
  addCounts,
  countAt,
  findStandingStatus,
  noCounts,
  type ScanSummary,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { type Severity, severities } from '../../domain/vulnerabilities/severity.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/**
 * An approved version whose scans failed, whose files are others since, or which its publisher took back or advises
 * against since. Where scans fail only once an acceptance has run out, the row is there before its time: so nobody has to
 * write anything at that moment.
 */
export interface AttentionItem extends PackageId {
  readonly v: string;
  readonly k: string;
  /** From when on, ISO 8601. */
  readonly since: string;
  /** When the approval runs out, and with it the need; null if never. */
  readonly expires_at: string | null;
  /** What counts from then on. */
  readonly severity: SeverityCounts;
  readonly reasons: readonly AttentionReason[];
}

export const attentionTable = defineTable<AttentionItem>('reviews');

/** `#` begins no version's key. */
export const attentionPartition = '#attention';

/** As far as it follows from a head whether its version needs attention. */
interface Attended extends ScanSummary {
  readonly status: Status;
  readonly expires_at: string | null;
  /** The key of the row that it has; null where it has none. */
  readonly attention: string | null;
  readonly facts: FactsSummary | null;
  readonly known_withdrawal: Withdrawal;
}

interface Viewpoint {
  readonly now: Date;
  readonly policy: ScanPolicy;
}

/** The moments at which what counts changes: now, and whenever an acceptance runs out. */
const listMoments = ({ accepted }: ScanSummary, now: Date): Date[] => [
  now,
  ...accepted.map(({ until }) => new Date(until)).filter((until) => until > now),
];

/** Since when a row says that it is needed; its rank is one digit. */
const readSince = (key: string): string => key.slice(1, key.indexOf('#'));

const findWorst = (counts: SeverityCounts): Severity =>
  severities.find((severity) => counts[severity] > 0) ?? 'unrated';

/** What became known since the decision in force: other files, what the publisher took back, or advises against. */
const listWithdrawals = ({ facts, known_withdrawal }: Attended): AttentionReason[] => {
  const { yanked, deprecated } = findWithdrawal(facts);
  return [
    ...(facts?.republished ? (['republished'] as const) : []),
    ...(yanked && !known_withdrawal.yanked ? (['yanked'] as const) : []),
    ...(deprecated && !known_withdrawal.deprecated ? (['deprecated'] as const) : []),
  ];
};

/** As bad as which vulnerability each is. */
const ranks: Readonly<Record<Exclude<AttentionReason, 'scan_failed'>, Severity>> = {
  republished: 'critical',
  yanked: 'high',
  deprecated: 'low',
};

const findRank = (reasons: readonly AttentionReason[], counts: SeverityCounts): number =>
  Math.min(
    ...reasons.map((reason) =>
      severities.indexOf(reason === 'scan_failed' ? findWorst(counts) : ranks[reason]),
    ),
  );

/** The row that a version must have; undefined where it must have none. */
export const makeAttentionRow = (
  id: PackageId,
  head: Attended,
  { now, policy }: Viewpoint,
): AttentionItem | undefined => {
  if (head.status !== 'approved') return undefined;
  const fails = (moment: Date): boolean =>
    findStandingStatus(head, { now: moment, policy }) === 'failed';
  const withdrawals = listWithdrawals(head);
  const from = withdrawals.length > 0 ? now : listMoments(head, now).find(fails);
  if (!from) return undefined;
  const reasons = [...(fails(from) ? (['scan_failed'] as const) : []), ...withdrawals];
  const severity = countAt(head, from);
  const known = head.attention && readSince(head.attention);
  // What has needed attention already has needed it since then; what needs none for now needs it anew.
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

/** Puts a version's row in place of the one that it had; nothing where it must have none and had none. */
export const moveAttention = (before: string | null, row: AttentionItem | undefined): Write[] => [
  ...(before !== null && before !== row?.k ? [deleteItem(attentionTable, toKey(before))] : []),
  ...(row ? [putItem(attentionTable, row)] : []),
];

const rowsAtATime = 100;

interface Stretch {
  /** A key to go on behind, or `''`. */
  readonly after: string;
  readonly now: Date;
  readonly count: number;
}

/** The first rows of a rank that are needed at a moment. What is needed only later stands behind them, and is never read. */
const listRank = async (rank: string, { after, now, count }: Stretch): Promise<AttentionItem[]> => {
  const found: AttentionItem[] = [];
  // A key's time is followed by `#`, which stands between the two.
  const last = `${rank}${now.toISOString()}~`;
  let first = `${after.startsWith(rank) ? after : rank} `;
  // DynamoDB refuses a stretch that ends before it begins.
  while (first <= last && found.length < count) {
    const most = Math.max(count - found.length, rowsAtATime);
    const rows = await queryItems(
      attentionTable,
      {
        KeyConditionExpression: 'v = :attention AND k BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':attention': attentionPartition,
          ':first': first,
          ':last': last,
        },
      },
      most,
    );
    found.push(
      ...rows.filter(
        ({ expires_at }) => statusAt({ status: 'approved', expires_at }, now) === 'approved',
      ),
    );
    const end = rows.at(-1);
    if (!end || rows.length < most) break;
    first = `${end.k} `;
  }
  return found;
};

/** A page of what needs attention at a moment, the worst first, and of equals what has needed it longest. */
export const listAttention = async (
  { after = '', limit }: AttentionQuery,
  now: Date,
): Promise<AttentionPage> => {
  const found: AttentionItem[] = [];
  for (const rank of severities.keys()) {
    // One more than is shown tells whether there is another page.
    const count = limit + 1 - found.length;
    if (count <= 0) break;
    // A page goes on in the rank in which the one before ended.
    if (`${rank}` >= after.slice(0, 1))
      found.push(...(await listRank(`${rank}`, { after, now, count })));
  }
  const shown = takeFitting(found.slice(0, limit));
  return {
    attention: shown.map(({ ecosystem, name, version, since, severity, reasons }) => ({
      ...{ ecosystem, name, version, since, reasons: [...reasons] },
      // DynamoDB keeps no order of names.
      severity: { ...addCounts(noCounts, severity) },
    })),
    next: found.length > shown.length ? (shown.at(-1)?.k ?? null) : null,
  };
};

import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import type { ExpirationPage, ExpirationsQuery } from '../../schemas/expiration.ts';
import type { PackageDetail } from '../../schemas/package.ts';
import { queryItems } from '../read.ts';
import { defineTable } from '../table.ts';
import { deleteItem, isAsSeen, putItem, type Write } from '../write.ts';
import { deleteAlone } from '../write-alone.ts';

/** What is to be done by itself when its time comes. */
const dueKinds = ['expiry'] as const;
export type DueKind = (typeof dueKinds)[number];

/** Something that is due: it stands in the order of its time, and goes with what it came for. */
export interface DueItem extends PackageId {
  readonly v: string;
  readonly k: string;
  readonly kind: DueKind;
  /** ISO 8601 in UTC. */
  readonly due_at: string;
  /** That of the version when the row was put. */
  readonly revision: number;
}

export const dueTable = defineTable<DueItem>('reviews');

/** `#` begins no version's key. */
export const duePartition = '#due';

const toDueKey = (id: PackageId, kind: DueKind, dueAt: string) => ({
  v: duePartition,
  k: `${dueAt}#${kind}#${toVersionKey(id)}`,
});

/** The row of a version whose approval runs out; none of one that holds for ever. */
export const makeExpiryRow = (
  { ecosystem, name, version, expires_at }: PackageDetail,
  revision: number,
): DueItem | undefined => {
  if (expires_at === null) return undefined;
  const id = { ecosystem, name, version };
  return {
    ...toDueKey(id, 'expiry', expires_at),
    kind: 'expiry',
    due_at: expires_at,
    revision,
    ...id,
  };
};

/** Has the expiry of a version follow a change of it. */
export const moveExpiry = (
  before: PackageDetail,
  after: PackageDetail,
  revision: number,
): Write[] => {
  const row = makeExpiryRow(after, revision);
  return [
    // A transaction names an item once.
    ...(before.expires_at && before.expires_at !== after.expires_at
      ? [deleteItem(dueTable, toDueKey(before, 'expiry', before.expires_at))]
      : []),
    ...(row ? [putItem(dueTable, row)] : []),
  ];
};

/** Takes a row away that stands for nothing, unless another was put in its place; resolves to nothing then, too. */
export const dropDue = async (row: DueItem): Promise<void> => {
  const { v, k } = row;
  const guard = { ...isAsSeen(row, ['revision']), refuse: () => new RowReplacedError() };
  try {
    await deleteAlone(deleteItem(dueTable, { v, k }, guard));
  } catch (error) {
    if (!(error instanceof RowReplacedError)) throw error;
  }
};

class RowReplacedError extends Error {
  override readonly name = 'RowReplacedError';
}

/** What is due in a stretch of time, in its order; `after` may be the key of a row, too, to go on behind it. */
export const listDue = async (
  { after, until = '' }: { readonly after: string; readonly until?: string | undefined },
  count: number,
): Promise<DueItem[]> => {
  // A key's time is followed by `#`, which stands between the two.
  const [first, last] = [`${after} `, `${until}~`];
  // DynamoDB refuses a stretch that ends before it begins.
  if (last < first) return [];
  return queryItems(
    dueTable,
    {
      KeyConditionExpression: 'v = :due AND k BETWEEN :after AND :until',
      ExpressionAttributeValues: { ':due': duePartition, ':after': first, ':until': last },
    },
    count,
  );
};

/** A page of the approvals that run out after a time or, if none is given, from now on; the next ones first. */
export const listExpirations = async (
  { after, before, limit }: ExpirationsQuery,
  now: Date,
): Promise<ExpirationPage> => {
  const place = after ?? now.toISOString();
  // What runs out at just that time is not after it.
  const start = place.includes('#') ? place : `${place}~`;
  // One more than is shown tells whether there is another page.
  const rows = await listDue({ after: start, until: before }, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    expirations: shown.map(({ ecosystem, name, version, due_at }) => ({
      ...{ ecosystem, name, version },
      expires_at: due_at,
    })),
    next: rows.length > limit ? (shown.at(-1)?.k ?? null) : null,
  };
};

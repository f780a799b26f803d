import type { ExpirationPage } from '../../api/schemas/expiration.ts';
import type { ExpirationsQuery } from '../../api/schemas/expirations-query.ts';
import type { PackageDetail } from '../../api/schemas/package.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { DueKind } from '../../domain/review/due-kind.ts';
import type { AcceptanceName } from '../../domain/vulnerabilities/acceptance.ts';
import { queryItems } from '../dynamodb/read.ts';
import { formatSortableNumber } from '../dynamodb/sortable-number.ts';
import { defineTable, type Table } from '../dynamodb/table.ts';
import {
  deleteItem,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import { deleteAlone, updateAlone } from '../dynamodb/write-alone.ts';
import { type ListingDue, listingDuePartition } from './listing-due.ts';
import { type PolicyDue, policyDuePartition } from './policy-due.ts';

/** Something that is to be done by itself when its time comes: it stands in the order of its time, and goes with what it came for. */
interface DueRow {
  readonly v: string;
  readonly k: string;
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

/** That an approval runs out. */
export interface ExpiryDue extends DueRow, PackageId {
  readonly kind: 'expiry';
  /** That of the version when the row was put. */
  readonly revision: number;
}

/**
 * What is to be done for an acceptance: bring it to the versions that it is about, end it, or take it from those that
 * have it, once it has ended.
 */
export interface AcceptanceDue extends DueRow, AcceptanceName {
  readonly kind: 'acceptance' | 'acceptance-end' | 'acceptance-over';
  /** The version that it is still to be brought to, where that failed for one. */
  readonly only?: PackageId;
  /** The key of the last version that it was brought to, where time ran out. */
  readonly after?: string;
}

export type DueItem = ExpiryDue | AcceptanceDue | ListingDue | PolicyDue;

export const dueTable = defineTable<DueItem>('reviews');
const expiryTable = defineTable<ExpiryDue>('reviews');
const acceptanceDueTable = defineTable<AcceptanceDue>('reviews');

/** `#` begins no version's key. */
export const duePartition = '#due';

/** Where the rows of each kind are: apart, so that a backlog of one kind delays the reading of no other. */
const partitions: Readonly<Record<DueKind, string>> = {
  'acceptance-over': '#due-acceptance-over',
  'acceptance-end': '#due-acceptance-end',
  expiry: duePartition,
  policy: policyDuePartition,
  acceptance: '#due-acceptance',
  listing: listingDuePartition,
};

const toDueKey = (id: PackageId, kind: ExpiryDue['kind'], dueAt: string) => ({
  v: duePartition,
  k: `${dueAt}#${kind}#${toVersionKey(id)}`,
});

/** The row of a version whose approval runs out; none of one that holds for ever. */
export const makeExpiryRow = (
  { ecosystem, name, version, expires_at }: PackageDetail,
  revision: number,
): ExpiryDue | undefined => {
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

/** The row of what is to be done for an acceptance; for one version alone, where one is given. */
const makeAcceptanceRow = (
  { id, number }: AcceptanceName,
  { kind, due_at, only }: Pick<AcceptanceDue, 'kind' | 'due_at' | 'only'>,
): AcceptanceDue => ({
  v: partitions[kind],
  k: [due_at, kind, ...(only ? [toVersionKey(only)] : []), formatSortableNumber(number), id].join(
    '#',
  ),
  ...{ kind, due_at, id, number },
  ...(only && { only }),
});

export const putAcceptanceDue = (
  acceptance: AcceptanceName,
  due: Pick<AcceptanceDue, 'kind' | 'due_at' | 'only'>,
): Write => putItem(acceptanceDueTable, makeAcceptanceRow(acceptance, due));

export const deleteAcceptanceDue = (
  acceptance: AcceptanceName,
  due: Pick<AcceptanceDue, 'kind' | 'due_at'>,
): Write => {
  const { v, k } = makeAcceptanceRow(acceptance, due);
  return deleteItem(acceptanceDueTable, { v, k });
};

/** Notes how far an acceptance was brought; nothing where that is done by now. */
export const saveCursor = async ({ v, k }: AcceptanceDue, after: string): Promise<void> => {
  const guard = {
    ConditionExpression: 'attribute_exists(v)',
    refuse: () => new RowReplacedError(),
  };
  const change = setFields({ after });
  try {
    await updateAlone(updateItem(acceptanceDueTable, { v, k }, { change, guard }));
  } catch (error) {
    if (!(error instanceof RowReplacedError)) throw error;
  }
};

/** Takes a row away that stands for nothing, unless another was put in its place; resolves to nothing then, too. */
export const dropDue = async (row: DueItem): Promise<void> => {
  const { v, k } = row;
  const guard = { ...ifUnchanged(row, ['revision']), refuse: () => new RowReplacedError() };
  try {
    await deleteAlone(deleteItem(dueTable, { v, k }, guard));
  } catch (error) {
    if (!(error instanceof RowReplacedError)) throw error;
  }
};

class RowReplacedError extends Error {
  override readonly name = 'RowReplacedError';
}

interface Stretch {
  /** A time, or the key of a row to go on behind. */
  readonly after: string;
  readonly until?: string | undefined;
}

const listPartition = async <Row extends DueRow>(
  table: Table<Row>,
  { v, after, until = '' }: Stretch & { readonly v: string },
  count: number,
): Promise<Row[]> => {
  // A key's time is followed by `#`, which stands between the two.
  const [first, last] = [`${after} `, `${until}~`];
  // DynamoDB refuses a stretch that ends before it begins.
  if (last < first) return [];
  return queryItems(
    table,
    {
      KeyConditionExpression: 'v = :due AND k BETWEEN :after AND :until',
      ExpressionAttributeValues: { ':due': v, ':after': first, ':until': last },
    },
    count,
  );
};

/** The next approvals that run out in a stretch of time. */
const listExpiries = (stretch: Stretch, count: number): Promise<ExpiryDue[]> =>
  listPartition(expiryTable, { v: duePartition, ...stretch }, count);

/** Lists the due work of one kind in a stretch of time, the earliest first. */
export const listDue = (kind: DueKind, stretch: Stretch, count: number): Promise<DueItem[]> =>
  listPartition(dueTable, { v: partitions[kind], ...stretch }, count);

/** A page of the approvals that run out after a time or, if none is given, from now on; the next ones first. */
export const listExpirations = async (
  { after, before, limit }: ExpirationsQuery,
  now: Date,
): Promise<ExpirationPage> => {
  const place = after ?? now.toISOString();
  // What runs out at just that time is not after it.
  const start = place.includes('#') ? place : `${place}~`;
  // One more than is shown tells whether there is another page.
  const rows = await listExpiries({ after: start, until: before }, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    expirations: shown.map(({ ecosystem, name, version, due_at }) => ({
      ...{ ecosystem, name, version },
      expires_at: due_at,
    })),
    next: rows.length > limit ? (shown.at(-1)?.k ?? null) : null,
  };
};

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

/** Row of due work, sorted by its time. Work and row are written and deleted together with their cause. */
interface DueRow {
  readonly v: string;
  readonly k: string;
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

/** Due expiry of an approval. */
export interface ExpiryDue extends DueRow, PackageId {
  readonly kind: 'expiry';
  /** Revision of the version when the row was put. */
  readonly revision: number;
}

/** Due work of a risk acceptance: apply it to its versions, end it, or remove it from its versions after its end. */
export interface AcceptanceDue extends DueRow, AcceptanceName {
  readonly kind: 'acceptance' | 'acceptance-end' | 'acceptance-over';
  /** Only version to process: a retry after a failure for one version. */
  readonly only?: PackageId;
  /** Key of the last processed version, if the time was too short for all. */
  readonly after?: string;
}

export type DueItem = ExpiryDue | AcceptanceDue | ListingDue | PolicyDue;

export const dueTable = defineTable<DueItem>('reviews');
const expiryTable = defineTable<ExpiryDue>('reviews');
const acceptanceDueTable = defineTable<AcceptanceDue>('reviews');

/** Partition of due expiries. No version key begins with `#`. */
export const duePartition = '#due';

/** Partition of each kind. They are separate, so that a backlog of one kind does not delay the others. */
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

/** Returns the expiry row of a version; undefined if its approval never expires. */
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

/** Returns the writes that move the expiry row of a version after a change. */
export const moveExpiry = (
  before: PackageDetail,
  after: PackageDetail,
  revision: number,
): Write[] => {
  const row = makeExpiryRow(after, revision);
  return [
    // A transaction may contain an item only once.
    ...(before.expires_at && before.expires_at !== after.expires_at
      ? [deleteItem(dueTable, toDueKey(before, 'expiry', before.expires_at))]
      : []),
    ...(row ? [putItem(dueTable, row)] : []),
  ];
};

/** Returns the row of due work of a risk acceptance; for one version only, if `only` is given. */
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

/** Saves the cursor of a risk acceptance. Does nothing if the row is gone. */
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

/** Deletes an obsolete row. Does nothing if another row replaced it. */
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
  /** Time, or key of a row, after which the list continues. */
  readonly after: string;
  readonly until?: string | undefined;
}

const listPartition = async <Row extends DueRow>(
  table: Table<Row>,
  { v, after, until = '' }: Stretch & { readonly v: string },
  count: number,
): Promise<Row[]> => {
  // The time in a key is followed by `#`, which sorts between ` ` and `~`.
  const [first, last] = [`${after} `, `${until}~`];
  // DynamoDB refuses a range that ends before it begins.
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

/** Returns the first approvals that expire in a time range. */
const listExpiries = (stretch: Stretch, count: number): Promise<ExpiryDue[]> =>
  listPartition(expiryTable, { v: duePartition, ...stretch }, count);

/** Returns the due work of one kind in a time range, the earliest first. */
export const listDue = (kind: DueKind, stretch: Stretch, count: number): Promise<DueItem[]> =>
  listPartition(dueTable, { v: partitions[kind], ...stretch }, count);

/** Returns a page of approvals that expire after a time, or after now if none is given; the earliest first. */
export const listExpirations = async (
  { after, before, limit }: ExpirationsQuery,
  now: Date,
): Promise<ExpirationPage> => {
  const place = after ?? now.toISOString();
  // An expiry at exactly that time is not after it.
  const start = place.includes('#') ? place : `${place}~`;
  // One extra row shows if there is another page.
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

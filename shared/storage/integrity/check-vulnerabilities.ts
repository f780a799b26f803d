import { isDeepStrictEqual } from 'node:util';
import { batchGet, getItem, queryPages } from '../dynamodb/read.ts';
import { type ItemKey, typeItem } from '../dynamodb/table.ts';
import { makeWriteId } from '../dynamodb/transact.ts';
import { checkItem, deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type ListingDue, listingDuePartition, listingDueTable } from '../reviews/listing-due.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import { type AffectedRow, affectedTable } from '../vulnerabilities/affected.ts';
import {
  addRow,
  type Counts,
  countersTable,
  countVersions,
  noCounts,
  pickCounts,
  readVulnerabilityCounter,
  type VulnerabilityCounter,
} from '../vulnerabilities/counter.ts';
import {
  expectIndexed,
  findMislisted,
  findRightIds,
  isDueRightly,
} from '../vulnerabilities/find-mislisted.ts';
import { checkpointKey } from '../vulnerabilities/index-checkpoint.ts';
import { dropStrayListing, listVersion } from '../vulnerabilities/list-version.ts';
import {
  listedTable,
  listPartitions,
  makeListed,
  moveListed,
  readCursor,
} from '../vulnerabilities/listed.ts';
import { requestAcceptances } from '../vulnerabilities/request-acceptances.ts';
import {
  beforeVersions,
  readPartition,
  toCounterKey,
  toPartition,
  vulnerabilityPrefix,
} from '../vulnerabilities/vulnerability-keys.ts';
import {
  type Check,
  type CheckContext,
  ConflictError,
  createRecall,
  makeProblem,
  type Recall,
  transactIfUnchanged,
} from './check.ts';

/** Check of versions listed by vulnerability, and of the counters and sorted lists of vulnerabilities. */

/** An item of the table reviews, with the fields that show what a version is listed under. */
export interface ListingItem {
  readonly v: string;
  readonly k: string;
  /** In review states only. */
  readonly sources?: unknown;
  readonly pinned?: string | null;
}

/** Returns the check that a version is listed under each of its vulnerabilities, or that due work will list it. */
const checkVersion = ({ v }: ListingItem, context: CheckContext): Check => ({
  subject: `vulnerability listings of ${v}`,
  examine: async () => {
    const mislisted = await findMislisted(v);
    if (mislisted.length === 0) return [];
    const repair = async (): Promise<void> => {
      await listVersion(v, context.deadline, {
        alsoIds: mislisted,
        follow: (id, ids) => requestAcceptances(id, ids, context),
      });
    };
    return [makeProblem({ kind: 'wrong_listing', example: v }, repair)];
  },
});

/** Returns the check that the version of a row has the vulnerability of that row. */
const checkRow = ({ v, k }: ListingItem, recall: Recall, { deadline }: CheckContext): Check => {
  const id = readPartition(v);
  const example = `${id} ${k}`;
  return {
    subject: `vulnerability row ${example}`,
    examine: async () => {
      if ((await recall(k)).has(id) || (await findRightIds(k)).has(id)) return [];
      if ((await getItem(affectedTable, { v, k })) === undefined) return [];
      const repair = async (): Promise<void> => {
        await listVersion(k, deadline, { alsoIds: [id] });
      };
      return [makeProblem({ kind: 'orphaned_listing', example }, repair)];
    },
  };
};

/** Returns the check that a due row has work to continue. While due work runs, it also deletes such rows. */
const checkDueRow = (row: ListingDue, { deadline }: CheckContext): Check => {
  const { v, k } = row;
  return {
    subject: `due row ${v} ${k}`,
    examine: async () => {
      if (await isDueRightly(row)) return [];
      if ((await getItem(listingDueTable, { v, k })) === undefined) return [];
      const repair = async (): Promise<void> => {
        await dropStrayListing(row, deadline);
      };
      return [makeProblem({ kind: 'orphaned_due_row', example: `${v} ${k}` }, repair)];
    },
  };
};

const rowsACall = 1000;

/** The counter of a vulnerability, the counts that its rows add up to, and its first row. */
interface CounterRead {
  readonly counter: VulnerabilityCounter | undefined;
  readonly counts: Counts;
  readonly first: AffectedRow | undefined;
}

const sumRows = async (id: string): Promise<Omit<CounterRead, 'counter'>> => {
  const range = {
    KeyConditionExpression: 'v = :vulnerability AND k > :before',
    ExpressionAttributeValues: { ':vulnerability': toPartition(id), ':before': beforeVersions },
  };
  let counts = noCounts;
  let first: AffectedRow | undefined;
  for await (const rows of queryPages(affectedTable, range, { limit: rowsACall })) {
    first ??= rows[0];
    counts = rows.reduce((sum, row) => addRow(sum, row, 1), counts);
  }
  return { counts, first };
};

/** Sums the rows between two reads of the counter: a row changes only together with its counter. */
const readCounter = async (id: string): Promise<CounterRead> => {
  const before = await readVulnerabilityCounter(id);
  const summed = await sumRows(id);
  const counter = await readVulnerabilityCounter(id);
  if (before?.stamp !== counter?.stamp) throw new ConflictError();
  return { ...summed, counter };
};

/** Returns the counter that follows from the rows; undefined if there are none. */
const expectCounter = async (
  id: string,
  { counter, counts, first }: CounterRead,
): Promise<VulnerabilityCounter | undefined> => {
  if (!first || countVersions(counts) === 0) return undefined;
  const description = counter?.description ?? (await expectIndexed(first.k)).get(id)?.description;
  const noText = { by: '', id, aliases: [], summary: '', epss: null };
  return {
    ...toCounterKey(id),
    stamp: makeWriteId(),
    ...counts,
    description: description ?? noText,
  };
};

const isCounterAsSeen = (counter: VulnerabilityCounter | undefined) =>
  ifUnchanged(counter, ['v', 'stamp']);

const isCounted = ({ counter, counts, first }: CounterRead): boolean =>
  counter ? isDeepStrictEqual(pickCounts(counter), counts) : first === undefined;

/** Returns true if every list has the row that follows from the counter. */
const isListed = async (counter: VulnerabilityCounter | undefined): Promise<boolean> => {
  const rows = makeListed(counter);
  const stored = await batchGet(
    listedTable,
    rows.map(({ v, k }) => ({ v, k })),
  );
  return rows.every((row) => stored.some((one) => isDeepStrictEqual(one, row)));
};

const replaceCounter = async (
  id: string,
  read: CounterRead,
  { deadline }: CheckContext,
): Promise<void> => {
  const { counter } = read;
  const next = await expectCounter(id, read);
  const isUnchanged = isCounterAsSeen(counter);
  return transactIfUnchanged(
    [
      next
        ? putItem(countersTable, next, isUnchanged)
        : deleteItem(countersTable, toCounterKey(id), isUnchanged),
      ...moveListed(counter, next),
    ],
    deadline,
  );
};

/** Returns the check that the counter of a vulnerability, and its rows in the lists, follow from its versions. */
const checkCounter = (id: string, context: CheckContext): Check => ({
  subject: `counter of ${id}`,
  examine: async () => {
    const read = await readCounter(id);
    if (isCounted(read) && (await isListed(read.counter))) return [];
    return [
      makeProblem({ kind: 'wrong_vulnerability', example: id }, () =>
        replaceCounter(id, read, context),
      ),
    ];
  },
});

/** Returns the check that a row of a list follows from the counter of its vulnerability. */
const checkListed = ({ v, k }: ListingItem, { deadline }: CheckContext): Check => {
  const id = readCursor(k);
  const example = `${v} ${k}`;
  return {
    subject: `list row ${example}`,
    examine: async () => {
      const counter = await readVulnerabilityCounter(id);
      if (makeListed(counter).some((row) => row.v === v && row.k === k)) return [];
      if ((await getItem(listedTable, { v, k })) === undefined) return [];
      const writes = [
        checkItem(countersTable, toCounterKey(id), isCounterAsSeen(counter)),
        deleteItem(listedTable, { v, k }),
      ];
      return [
        makeProblem({ kind: 'orphaned_vulnerability', example }, () =>
          transactIfUnchanged(writes, deadline),
        ),
      ];
    },
  };
};

/** Returns true for a review state that may have vulnerabilities: most versions were not scanned yet. */
const isScanned = ({ k, sources }: ListingItem): boolean =>
  k === reviewStateKey && !(Array.isArray(sources) && sources.length === 0);

/** Returns one item for each version: its review state, or else the checkpoint of its listing. */
const findVersionItems = (items: readonly ListingItem[]): Set<ListingItem> => {
  const states = items.filter(isScanned);
  const versions = new Set(states.map(({ v }) => v));
  const checkpoints = items.filter(({ v, k }) => k === checkpointKey && !versions.has(v));
  return new Set([...states, ...checkpoints]);
};

/** Returns the checks of one vulnerability row. The first row of a vulnerability adds the check of its counter. */
const listRowChecks = (
  item: ListingItem,
  { isFirst, recall }: { readonly isFirst: boolean; readonly recall: Recall },
  context: CheckContext,
): Check[] => [
  ...(isFirst ? [checkCounter(readPartition(item.v), context)] : []),
  ...(item.k > beforeVersions ? [checkRow(item, recall, context)] : []),
];

/**
 * Returns the checks of a page of items: of each version with vulnerabilities, of each vulnerability, and of each row
 * and due row. `after` is the last key before the page.
 */
export const listVulnerabilityChecks = (
  items: readonly ListingItem[],
  after: ItemKey | undefined,
  context: CheckContext,
): Check[] => {
  const recall = createRecall(findRightIds);
  const versionItems = findVersionItems(items);
  return items.flatMap((item, at) => {
    if (versionItems.has(item)) return [checkVersion(item, context)];
    if (listPartitions.includes(item.v)) return [checkListed(item, context)];
    if (item.v === listingDuePartition) {
      return [checkDueRow(typeItem(listingDueTable, { ...item }), context)];
    }
    if (!item.v.startsWith(vulnerabilityPrefix)) return [];
    const before = at === 0 ? after?.['v'] : items[at - 1]?.v;
    return listRowChecks(item, { isFirst: item.v !== before, recall }, context);
  });
};

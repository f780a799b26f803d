import { RegistryError } from '../../domain/errors.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import {
  type Acceptance,
  type AcceptanceEnd,
  type AcceptanceName,
  isGlobal,
} from '../../domain/vulnerabilities/acceptance.ts';
import { batchGet, getItem, queryItems } from '../dynamodb/read.ts';
import { formatSortableNumber } from '../dynamodb/sortable-number.ts';
import { defineTable } from '../dynamodb/table.ts';
import {
  addToFields,
  checkItem,
  deleteItem,
  ifUnchanged,
  putItem,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import { toPartition } from './vulnerability-keys.ts';

interface AcceptanceItem extends Acceptance {
  readonly v: string;
  readonly k: string;
}

/** Risk acceptance that expired or was withdrawn. */
export interface EndedAcceptance extends Acceptance {
  readonly ended: AcceptanceEnd;
}

/** Counter of the risk acceptances of one id: `last` counts all ever made, `live` those that have not ended. */
export interface AcceptanceCounter {
  readonly v: string;
  readonly k: string;
  readonly last: number;
  readonly live: number;
}

/** Counter of the risk acceptances that cover more than one package and have not ended. */
interface GlobalCounter {
  readonly v: string;
  readonly k: string;
  readonly live: number;
}

/**
 * Version that a risk acceptance applies to. The end of the acceptance finds all such versions here, whatever their
 * scans report by then.
 */
interface MarkedItem extends PackageId {
  readonly v: string;
  readonly k: string;
}

const acceptancesTable = defineTable<AcceptanceItem>('reviews');
const endedTable = defineTable<AcceptanceItem & EndedAcceptance>('reviews');
const countersTable = defineTable<AcceptanceCounter>('reviews');
const globalTable = defineTable<GlobalCounter>('reviews');
const markedTable = defineTable<MarkedItem>('reviews');

/** Limits of risk acceptances that have not ended: those that cover more than one package, and those of one id. */
export const mostGlobal = 1000;
export const mostOfOneId = 1000;

const livePrefix = '#acceptance#';
const endedPrefix = '#acceptance-ended#';

const toLiveKey = ({ id, number }: AcceptanceName) => ({
  v: toPartition(id),
  k: `${livePrefix}${formatSortableNumber(number)}`,
});

const toEndedKey = ({ id, number }: AcceptanceName) => ({
  v: toPartition(id),
  k: `${endedPrefix}${formatSortableNumber(number)}`,
});

const toCounterKey = (id: string) => ({ v: toPartition(id), k: '#acceptances' });

const globalKey = { v: '#acceptances', k: '#' };

const toMarkedPrefix = ({ number }: AcceptanceName): string =>
  `#marked#${formatSortableNumber(number)}#`;

const toMarkedKey = (acceptance: AcceptanceName, version: PackageId) => ({
  v: toPartition(acceptance.id),
  k: `${toMarkedPrefix(acceptance)}${toVersionKey(version)}`,
});

/** Error of an optimistic lock: another acceptance of the same vulnerability was added or ended concurrently. */
export class AcceptancesMovedError extends Error {
  override readonly name = 'AcceptancesMovedError';
}

/** Error of work for a risk acceptance that has ended. */
export class AcceptanceOverError extends Error {
  override readonly name = 'AcceptanceOverError';
}

/** Condition that a risk acceptance has not ended. */
const isThere = {
  ConditionExpression: 'attribute_exists(v)',
  refuse: () => new AcceptanceOverError('It ended meanwhile'),
};

const dropKeys = <Item extends { readonly v: string; readonly k: string }>({
  v: _,
  k: __,
  ...rest
}: Item) => rest;

/** Returns the acceptance counter of an id; undefined if the id never had an acceptance. */
export const readAcceptanceCounter = (id: string): Promise<AcceptanceCounter | undefined> =>
  getItem(countersTable, toCounterKey(id));

/** Returns the ids that have a risk acceptance which has not ended. */
export const findAcceptedIds = async (ids: readonly string[]): Promise<string[]> => {
  const counters = await batchGet(countersTable, ids.map(toCounterKey));
  const partitions = new Set(counters.filter(({ live }) => live > 0).map(({ v }) => v));
  return ids.filter((id) => partitions.has(toPartition(id)));
};

/** Returns a risk acceptance that has not ended, otherwise undefined. Its expiry date may have passed. */
export const readAcceptance = async (name: AcceptanceName): Promise<Acceptance | undefined> => {
  const item = await getItem(acceptancesTable, toLiveKey(name));
  return item && dropKeys(item);
};

const rangeOf = (id: string, prefix: string) => ({
  KeyConditionExpression: 'v = :vulnerability AND begins_with(k, :prefix)',
  ExpressionAttributeValues: { ':vulnerability': toPartition(id), ':prefix': prefix },
  ScanIndexForward: false,
});

/** Returns all acceptances of an id that have not ended, the newest first. Their expiry dates may have passed. */
export const listAcceptances = async (id: string): Promise<Acceptance[]> =>
  (await queryItems(acceptancesTable, rangeOf(id, livePrefix))).map(dropKeys);

/** Returns the first `count` ended acceptances of an id, the highest sequence number first. */
export const listEndedAcceptances = async (id: string, count: number): Promise<EndedAcceptance[]> =>
  (await queryItems(endedTable, rangeOf(id, endedPrefix), count)).map(dropKeys);

const refuseTooMany = (most: number, what: string): Error =>
  new RegistryError(
    'too_many_acceptances',
    `There are ${most} acceptances ${what} already, which is as many as there may be. Withdraw some of them first, or accept the vulnerability for one package.`,
  );

/** Returns the write that replaces the acceptance counter of an id, if the counter is unchanged. */
const moveCounter = (
  id: string,
  seen: AcceptanceCounter | undefined,
  after: Pick<AcceptanceCounter, 'last' | 'live'>,
): Write =>
  putItem(
    countersTable,
    { ...toCounterKey(id), ...after },
    {
      ...ifUnchanged(seen, ['last', 'live']),
      refuse: () => new AcceptancesMovedError('Another one came or went'),
    },
  );

const countGlobal = (): Write =>
  updateItem(globalTable, globalKey, {
    change: addToFields({ live: 1 }),
    guard: {
      ConditionExpression: 'attribute_not_exists(#live) OR #live < :most',
      ExpressionAttributeNames: { '#live': 'live' },
      ExpressionAttributeValues: { ':most': mostGlobal },
      refuse: () => refuseTooMany(mostGlobal, 'that reach beyond one package'),
    },
  });

/**
 * Returns the writes that store and count a new acceptance. Its sequence number follows the last one.
 * @throws {RegistryError} `too_many_acceptances` at the limit of one id; at the global limit, the transaction throws it
 */
export const putAcceptance = (
  acceptance: Acceptance,
  seen: AcceptanceCounter | undefined,
): Write[] => {
  const { id, number } = acceptance;
  const live = (seen?.live ?? 0) + 1;
  if (live > mostOfOneId) throw refuseTooMany(mostOfOneId, `of ${id}`);
  return [
    putItem(acceptancesTable, { ...toLiveKey(acceptance), ...acceptance }),
    moveCounter(id, seen, { last: number, live }),
    ...(isGlobal(acceptance) ? [countGlobal()] : []),
  ];
};

/** Returns the writes that end an acceptance. Transactions with `checkLive` fail from then on. */
export const endAcceptance = (acceptance: Acceptance, ended: AcceptanceEnd): Write[] => [
  deleteItem(acceptancesTable, toLiveKey(acceptance), isThere),
  putItem(endedTable, { ...toEndedKey(acceptance), ...acceptance, ended }),
  updateItem(countersTable, toCounterKey(acceptance.id), { change: addToFields({ live: -1 }) }),
  ...(isGlobal(acceptance)
    ? [updateItem(globalTable, globalKey, { change: addToFields({ live: -1 }) })]
    : []),
];

/** Returns the check that an acceptance has not ended. The transaction throws `AcceptanceOverError` otherwise. */
export const checkLive = (acceptance: AcceptanceName): Write =>
  checkItem(acceptancesTable, toLiveKey(acceptance), isThere);

/** Returns the write that records a version as one that an acceptance applies to. */
export const addMark = (
  acceptance: AcceptanceName,
  { ecosystem, name, version }: PackageId,
): Write => {
  const id = { ecosystem, name, version };
  return putItem(markedTable, { ...toMarkedKey(acceptance, id), ...id });
};

/** Returns the write that deletes the record of `addMark`. */
export const forgetMarked = (acceptance: AcceptanceName, id: PackageId): Write =>
  deleteItem(markedTable, toMarkedKey(acceptance, id));

/** Returns the first `count` versions that an acceptance applies to, in key order; those after `after` if given. */
export const listMarked = (
  acceptance: AcceptanceName,
  { after, count }: { readonly after?: PackageId | undefined; readonly count: number },
): Promise<PackageId[]> => {
  const prefix = toMarkedPrefix(acceptance);
  return queryItems(
    markedTable,
    {
      KeyConditionExpression: 'v = :vulnerability AND k BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':vulnerability': toPartition(acceptance.id),
        // No version key contains a space, so this is the first sort key after that version.
        ':first': after ? `${toMarkedKey(acceptance, after).k} ` : prefix,
        ':last': `${prefix}~`,
      },
    },
    count,
  );
};

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

/** An acceptance that holds no more. */
export interface EndedAcceptance extends Acceptance {
  readonly ended: AcceptanceEnd;
}

/** How many acceptances there ever were of one id, and how many have not ended. */
export interface AcceptanceCounter {
  readonly v: string;
  readonly k: string;
  readonly last: number;
  readonly live: number;
}

/** How many acceptances there are that reach beyond one package. */
interface GlobalCounter {
  readonly v: string;
  readonly k: string;
  readonly live: number;
}

/** That a version has the mark of an acceptance: so its end finds all that have, whatever scans say by then. */
interface MarkedItem extends PackageId {
  readonly v: string;
  readonly k: string;
}

const acceptancesTable = defineTable<AcceptanceItem>('reviews');
const endedTable = defineTable<AcceptanceItem & EndedAcceptance>('reviews');
const countersTable = defineTable<AcceptanceCounter>('reviews');
const globalTable = defineTable<GlobalCounter>('reviews');
const markedTable = defineTable<MarkedItem>('reviews');

/** How many there may be that have not ended: that reach beyond one package, and of one id. */
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

/** Somebody else accepted the same vulnerability, or took that back, at the same moment. */
export class AcceptancesMovedError extends Error {
  override readonly name = 'AcceptancesMovedError';
}

/** An acceptance ended before what was to be done for it. */
export class AcceptanceOverError extends Error {
  override readonly name = 'AcceptanceOverError';
}

const isThere = {
  ConditionExpression: 'attribute_exists(v)',
  refuse: () => new AcceptanceOverError('It ended meanwhile'),
};

const dropKeys = <Item extends { readonly v: string; readonly k: string }>({
  v: _,
  k: __,
  ...rest
}: Item) => rest;

/** Undefined where there never was one of that id. */
export const readAcceptanceCounter = (id: string): Promise<AcceptanceCounter | undefined> =>
  getItem(countersTable, toCounterKey(id));

/** Those of some ids that have acceptances which have not ended. */
export const findAcceptedIds = async (ids: readonly string[]): Promise<string[]> => {
  const counters = await batchGet(countersTable, ids.map(toCounterKey));
  const partitions = new Set(counters.filter(({ live }) => live > 0).map(({ v }) => v));
  return ids.filter((id) => partitions.has(toPartition(id)));
};

/** An acceptance that has not ended; its time may be over. */
export const readAcceptance = async (name: AcceptanceName): Promise<Acceptance | undefined> => {
  const item = await getItem(acceptancesTable, toLiveKey(name));
  return item && dropKeys(item);
};

const rangeOf = (id: string, prefix: string) => ({
  KeyConditionExpression: 'v = :vulnerability AND begins_with(k, :prefix)',
  ExpressionAttributeValues: { ':vulnerability': toPartition(id), ':prefix': prefix },
  ScanIndexForward: false,
});

/** All of an id that have not ended, the newest first. Their time may be over. */
export const listAcceptances = async (id: string): Promise<Acceptance[]> =>
  (await queryItems(acceptancesTable, rangeOf(id, livePrefix))).map(dropKeys);

/** The last ones of an id that ended, by their numbers. */
export const listEndedAcceptances = async (id: string, count: number): Promise<EndedAcceptance[]> =>
  (await queryItems(endedTable, rangeOf(id, endedPrefix), count)).map(dropKeys);

const refuseTooMany = (most: number, what: string): Error =>
  new RegistryError(
    'too_many_acceptances',
    `There are ${most} acceptances ${what} already, which is as many as there may be. Take back some of them first, or accept the vulnerability for one package.`,
  );

/** Counts a change of how many acceptances there are, unless that changed since it was seen. */
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
 * Keeps an acceptance under the number after the last one.
 * @throws {RegistryError} `too_many_acceptances` where there may be no more
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

/** Keeps how an acceptance ended. What is written for it alone, with the check that it has not, is refused from then on. */
export const endAcceptance = (acceptance: Acceptance, ended: AcceptanceEnd): Write[] => [
  deleteItem(acceptancesTable, toLiveKey(acceptance), isThere),
  putItem(endedTable, { ...toEndedKey(acceptance), ...acceptance, ended }),
  updateItem(countersTable, toCounterKey(acceptance.id), { change: addToFields({ live: -1 }) }),
  ...(isGlobal(acceptance)
    ? [updateItem(globalTable, globalKey, { change: addToFields({ live: -1 }) })]
    : []),
];

/** Holds while an acceptance has not ended. @throws {AcceptanceOverError} */
export const checkLive = (acceptance: AcceptanceName): Write =>
  checkItem(acceptancesTable, toLiveKey(acceptance), isThere);

export const addMark = (
  acceptance: AcceptanceName,
  { ecosystem, name, version }: PackageId,
): Write => {
  const id = { ecosystem, name, version };
  return putItem(markedTable, { ...toMarkedKey(acceptance, id), ...id });
};

export const forgetMarked = (acceptance: AcceptanceName, id: PackageId): Write =>
  deleteItem(markedTable, toMarkedKey(acceptance, id));

/** Some of the versions that have the mark of an acceptance, behind one where that is given. */
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
        // A version's key has no blank in it, and one goes behind it.
        ':first': after ? `${toMarkedKey(acceptance, after).k} ` : prefix,
        ':last': `${prefix}~`,
      },
    },
    count,
  );
};

import type { HeldRecallPage, HeldRecallsQuery } from '../../api/schemas/held-recall.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type PackageName, toPackageKey } from '../../domain/packages/package-id.ts';
import type { HeldRecall } from '../../domain/recalls/held-recall.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem, queryItems, queryPage, queryPartition } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import {
  deleteItem,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';

interface Keyed {
  readonly v: string;
  readonly k: string;
}

/** Partitions of the table. No version key begins with `#`. */
const partitions = {
  /** Held records. */
  held: '#held-recalls',
  /** Names of packages in held records. */
  names: '#held-names',
  /** Held records that a person confirmed, until a run has recalled their versions. */
  confirmed: '#confirmed-recalls',
  /** Records that a person dismissed. */
  dismissed: '#dismissed-recalls',
} as const;

/** Held record that a person confirmed. */
export interface ConfirmedRecord {
  readonly record: string;
  readonly ecosystem: Ecosystem;
  readonly by: string | null;
  /** ISO 8601. */
  readonly at: string;
}

const heldTable = defineTable<HeldRecall & Keyed>('reviews');
const namesTable = defineTable<Keyed & { readonly record: string }>('reviews');
const confirmedTable = defineTable<ConfirmedRecord & Keyed>('reviews');
const dismissedTable = defineTable<Keyed & Pick<HeldRecall, 'content'>>('reviews');

const toHeldKey = (record: string) => ({ v: partitions.held, k: record });
const toConfirmedKey = (record: string) => ({ v: partitions.confirmed, k: record });
const toDismissedKey = (record: string) => ({ v: partitions.dismissed, k: record });

const listNameKeys = ({ record, ecosystem, packages }: HeldRecall) =>
  packages.map((name) => ({
    v: partitions.names,
    k: `${toPackageKey(ecosystem, name)}#${record}`,
  }));

/** Returns a held record; undefined if the record is not held. */
export const findHeldRecall = async (record: string): Promise<HeldRecall | undefined> => {
  const stored = await getItem(heldTable, toHeldKey(record));
  if (!stored) return undefined;
  const { v: _, k: __, ...held } = stored;
  return held;
};

/** True if a person dismissed a record with the same content. */
export const isDismissed = async ({
  record,
  content,
}: Pick<HeldRecall, 'record' | 'content'>): Promise<boolean> =>
  (await getItem(dismissedTable, toDismissedKey(record)))?.content === content;

/** Holds a record, or replaces an earlier hold. Rules then approve nothing of its packages. */
export const holdRecall = async (held: HeldRecall): Promise<void> => {
  // Names without a held record have no effect, so that they come first and go last.
  for (const key of listNameKeys(held)) {
    await putAlone(putItem(namesTable, { ...key, record: held.record }));
  }
  await putAlone(putItem(heldTable, { ...toHeldKey(held.record), ...held }));
};

/** Deletes the rows of the names of a record that is not held any more. */
export const dropNames = async (held: HeldRecall): Promise<void> => {
  for (const key of listNameKeys(held)) await deleteAlone(deleteItem(namesTable, key));
};

/** Returns the writes that end the hold of a record, and its confirmation. */
export const endHold = ({ record }: HeldRecall): Write[] => [
  deleteItem(confirmedTable, toConfirmedKey(record)),
  deleteItem(heldTable, toHeldKey(record)),
];

const ifSame = (held: HeldRecall, refuse: () => Error) => ({
  ...ifUnchanged({ held_at: held.held_at, confirmed: held.confirmed }, ['held_at', 'confirmed']),
  refuse,
});

/** Returns the writes that confirm a held record, if it is unchanged. */
export const confirmRecall = (
  held: HeldRecall,
  confirmed: NonNullable<HeldRecall['confirmed']>,
  refuse: () => Error,
): Write[] => {
  const { record, ecosystem } = held;
  return [
    updateItem(heldTable, toHeldKey(record), {
      change: setFields({ confirmed }),
      guard: ifSame(held, refuse),
    }),
    putItem(confirmedTable, {
      ...toConfirmedKey(record),
      ...{ record, ecosystem, by: confirmed.by, at: confirmed.at },
    }),
  ];
};

/** Returns the writes that dismiss a held record, if it is unchanged. The same content never holds the record again. */
export const dismissRecall = (held: HeldRecall, refuse: () => Error): Write[] => {
  const { record, content } = held;
  return [
    deleteItem(heldTable, toHeldKey(record), ifSame(held, refuse)),
    deleteItem(confirmedTable, toConfirmedKey(record)),
    putItem(dismissedTable, { ...toDismissedKey(record), content }),
  ];
};

/** Most confirmed records of one run. The next run continues. */
const mostConfirmed = 100;

/** Returns the held records that a person confirmed, and whose versions are not recalled yet. */
export const listConfirmed = (): Promise<readonly ConfirmedRecord[]> =>
  queryPartition(confirmedTable, partitions.confirmed, mostConfirmed);

/** Most held records of one package that are looked at. Records of malware name a package once or twice. */
const mostOfName = 20;

/** True if a held record names a package, so that rules approve none of its versions. */
export const isNameHeld = async ({ ecosystem, name }: PackageName): Promise<boolean> => {
  const range = {
    KeyConditionExpression: 'v = :names AND begins_with(k, :package)',
    ExpressionAttributeValues: {
      ':names': partitions.names,
      ':package': `${toPackageKey(ecosystem, name)}#`,
    },
  };
  const rows = await queryItems(namesTable, range, mostOfName);
  const held = await Promise.all(rows.map(({ record }) => findHeldRecall(record)));
  return held.some(Boolean);
};

/** Returns a page of held records, by their ids. Reads are eventually consistent. */
export const listHeldRecalls = async ({
  after,
  limit,
}: HeldRecallsQuery): Promise<HeldRecallPage> => {
  const { items, next } = await queryPage(
    heldTable,
    {
      KeyConditionExpression: after === undefined ? 'v = :held' : 'v = :held AND k > :after',
      ExpressionAttributeValues: {
        ':held': partitions.held,
        ...(after !== undefined && { ':after': after }),
      },
      ConsistentRead: false,
    },
    { limit },
  );
  const shown = takeFitting(items);
  return {
    held_recalls: shown.map(({ v: _, k: __, content: ___, reasons, packages, ...held }) => ({
      ...held,
      reasons: [...reasons],
      packages: [...packages],
    })),
    next: next || shown.length < items.length ? (shown.at(-1)?.record ?? null) : null,
  };
};

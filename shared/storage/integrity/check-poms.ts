import { getItem } from '../dynamodb/read.ts';
import { listPoms } from '../poms/list-poms.ts';
import {
  checkLease,
  checkReviewState,
  findWanted,
  hasPoms,
  hasRightPoms,
  isSettled,
  pomListKey,
  readPomList,
} from '../poms/pom-list.ts';
import { deletePomRow, pomPrefix, pomRowsTable, readCoordinates } from '../poms/pom-rows.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import type { Check } from './judge-checks.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** An item of the reviews, as far as it tells whether a version leans on POMs. */
interface Item {
  readonly v: string;
  readonly k: string;
  /** Of a head. */
  readonly pinned?: string | null;
}

/** Whether a version stands under exactly the POMs that it leans on. */
const checkVersion = (versionKey: string, { deadline }: CheckContext): Check => ({
  kind: 'wrong_pom_listing',
  example: versionKey,
  isRight: () => hasRightPoms(versionKey),
  mend: async () => {
    await listPoms(versionKey, { deadline, anew: true });
    return true;
  },
});

/** The coordinates under which versions may stand, read once for all their rows in a page. */
type Recall = (versionKey: string) => Promise<ReadonlySet<string>>;

const findRight: Recall = async (versionKey) =>
  new Set((await findWanted(await readPomList(versionKey))).keys());

const createRecall = (): Recall => {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return (versionKey) => {
    const right = known.get(versionKey) ?? findRight(versionKey);
    known.set(versionKey, right);
    return right;
  };
};

/** Whether the version of a row leans on it. Where its list is under way the row may go by itself, or is found there. */
const checkRow = (item: Item, recall: Recall, { deadline }: CheckContext): Check => {
  const { v, k } = item;
  const coordinates = readCoordinates(item);
  return {
    kind: 'orphaned_pom_listing',
    example: `${coordinates} ${k}`,
    isRight: async () => {
      if ((await recall(k)).has(coordinates)) return true;
      const kept = await readPomList(k);
      if (!isSettled(kept) || (await findWanted(kept)).has(coordinates)) return true;
      return (await getItem(pomRowsTable, { v, k })) === undefined;
    },
    mend: async () => {
      const kept = await readPomList(k);
      if (!isSettled(kept) || (await findWanted(kept)).has(coordinates)) return false;
      return transactUnlessChanged(
        [checkLease(kept), checkReviewState(kept), deletePomRow(k, coordinates)],
        deadline,
      );
    },
  };
};

/** What is to be looked at because of some items: each version by its head or its list, and each row. */
export const listPomChecks = (items: readonly Item[], context: CheckContext): Check[] => {
  const recall = createRecall();
  const versions = items.filter(
    ({ v, k, pinned }) =>
      k === pomListKey || (k === reviewStateKey && hasPoms(v) && Boolean(pinned)),
  );
  return [
    ...[...new Set(versions.map(({ v }) => v))].map((v) => checkVersion(v, context)),
    ...items
      .filter(({ v }) => v.startsWith(pomPrefix))
      .map((item) => checkRow(item, recall, context)),
  ];
};

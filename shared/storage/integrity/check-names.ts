import { type PackageName, toPackageKey } from '../../domain/packages/package-id.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { deleteItem } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';
import {
  type ApprovedName,
  approvedNamesTable,
  isApprovedNames,
  readApprovedName,
  saveApprovedName,
  toApprovedName,
} from '../packages/approved-names.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { readVersionCount } from '../packages/version-counts.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import { type Check, makeProblem } from './check.ts';

/** Check of the rows of approved names, which later names are compared with. */

interface ReviewItem extends ApprovedName {
  /** In review states only. */
  readonly status?: unknown;
}

const isSubmitted = async ({ ecosystem, name }: PackageName): Promise<boolean> =>
  (await readVersionCount({ ecosystem, name })) > 0;

/** Returns a quick test whether the name of a version has its row. A few batch reads serve all of these versions. */
const createNameTest = (versionKeys: readonly string[]) => {
  const toRow = (versionKey: string): ApprovedName | undefined => {
    const id = parseVersionKey(versionKey);
    return id && toApprovedName(id);
  };
  const readKeys = async (): Promise<ReadonlySet<string>> => {
    const keys = versionKeys.flatMap((versionKey) => toRow(versionKey) ?? []);
    const rows = await batchGet(
      approvedNamesTable,
      keys.map(({ v, k }) => ({ v, k })),
    );
    return new Set(rows.map(({ v, k }) => `${v} ${k}`));
  };
  let stored: Promise<ReadonlySet<string>> | undefined;
  return async (versionKey: string): Promise<boolean> => {
    stored ??= readKeys();
    const row = toRow(versionKey);
    return row === undefined || (await stored).has(`${row.v} ${row.k}`);
  };
};

type NameTest = ReturnType<typeof createNameTest>;

/** Returns the check that the name of an approved version has its row. */
const checkName = (versionKey: string, looksRight: NameTest): Check => ({
  subject: `approved name of ${versionKey}`,
  looksRight: () => looksRight(versionKey),
  examine: async () => {
    const id = parseVersionKey(versionKey);
    // Another check reports a review state that belongs to no version.
    if (!id || !(await isSubmitted(id))) return [];
    if (await getItem(approvedNamesTable, { ...toApprovedName(id) })) return [];
    const example = toPackageKey(id.ecosystem, id.name);
    return [makeProblem({ kind: 'missing_approved_name', example }, () => saveApprovedName(id))];
  },
});

/** True if a row has the key of its name, and the registry has a version of that name. */
const isRightRow = async (row: ApprovedName): Promise<boolean> => {
  const name = readApprovedName(row);
  if (!name) return false;
  const { v, k } = toApprovedName(name);
  return v === row.v && k === row.k && (await isSubmitted(name));
};

const checkRow = ({ v, k }: ApprovedName): Check => ({
  subject: `row of an approved name ${v} ${k}`,
  examine: async () => {
    if (await isRightRow({ v, k })) return [];
    if ((await getItem(approvedNamesTable, { v, k })) === undefined) return [];
    return [
      makeProblem({ kind: 'orphaned_approved_name', example: `${v} ${k}` }, () =>
        deleteAlone(deleteItem(approvedNamesTable, { v, k })),
      ),
    ];
  },
});

/** Returns a check for each name of approved versions, and one for each row of an approved name. */
export const listNameChecks = (items: readonly ReviewItem[]): Check[] => {
  const approved = items.filter(({ k, status }) => k === reviewStateKey && status === 'approved');
  const byName = new Map(approved.map(({ v }) => [v.slice(0, v.lastIndexOf('#')), v]));
  const versionKeys = [...byName.values()];
  const looksRight = createNameTest(versionKeys);
  return [
    ...versionKeys.map((versionKey) => checkName(versionKey, looksRight)),
    ...items.filter(({ v }) => isApprovedNames(v)).map(checkRow),
  ];
};

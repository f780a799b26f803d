import { groupBy } from '../../../shared/util/group-by.ts';

/** The fields of a row that show which rows belong together. */
interface GroupedRow {
  readonly key: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  /** The newer pending update that replaces this one in the queue; null without one. */
  readonly newer: string | null;
}

/** Rows to show, and the rows that belong to them. */
export interface GroupedRows<One> {
  /** The rows to show: a group is its first row, and the members behind it if the group is open. */
  readonly rows: readonly One[];
  /** The members of each group, without its first row, by the key of that row. */
  readonly members: ReadonlyMap<string, readonly One[]>;
}

interface FoldTerms<One> {
  /** Keys of versions whose older updates are shown. */
  readonly opened: ReadonlySet<string>;
  /** True if all rows of the list are loaded. */
  readonly isWhole: boolean;
  /** Returns true if a decision on the version was made or is on its way. */
  readonly isDecided: (row: One) => boolean;
}

const identify = ({ ecosystem, name }: GroupedRow, version: string): string =>
  `${ecosystem}/${name}/${version}`;

/**
 * Returns the rows of a list without older updates. The older updates of opened versions follow these. An older update stays if
 * its newer version was decided, or is not in the whole list, because nothing else shows it.
 */
export const foldUpdates = <One extends GroupedRow>(
  rows: readonly One[],
  { opened, isWhole, isDecided }: FoldTerms<One>,
): One[] => {
  const known = new Map(rows.map((row) => [identify(row, row.version), row]));
  /** Returns the identity of the newer update that hides the row; undefined if none does. */
  const findNewer = (row: One): string | undefined => {
    const newer = row.newer === null ? undefined : identify(row, row.newer);
    const shown = newer === undefined ? undefined : known.get(newer);
    const isHidden = shown ? !isDecided(shown) : !isWhole;
    return isHidden ? newer : undefined;
  };
  const byNewer = groupBy(rows, findNewer);
  return (byNewer.get(undefined) ?? []).flatMap((row) =>
    opened.has(row.key) ? [row, ...(byNewer.get(identify(row, row.version)) ?? [])] : [row],
  );
};

/**
 * Groups the rows of a list by package. A group is at the position of its first row; a package with one row is no group.
 */
export const groupByPackage = <One extends GroupedRow>(
  rows: readonly One[],
  opened: ReadonlySet<string>,
): GroupedRows<One> => {
  const byPackage = groupBy(rows, ({ ecosystem, name }) => `${ecosystem}/${name}`);
  const members = new Map<string, readonly One[]>();
  const shown = [...byPackage.values()].flatMap(([head, ...others]) => {
    if (!head) return [];
    if (others.length > 0) members.set(head.key, others);
    return opened.has(head.key) ? [head, ...others] : [head];
  });
  return { rows: shown, members };
};

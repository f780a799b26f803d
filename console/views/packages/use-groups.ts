import { useMemo, useState } from 'preact/hooks';
import type { Outcome } from '../../decisions/outcome.ts';
import type { Filters, Source } from './filters.ts';
import { foldUpdates, groupByPackage } from './group-rows.ts';
import type { Row } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';
import type { Listing } from './use-listing.ts';

/** The groups of a list: the older updates of a version, or the other versions of a package. */
export interface Groups {
  /** Keys of the first rows of open groups. */
  readonly opened: ReadonlySet<string>;
  /** Opens or closes a group, by the key of its first row. */
  readonly toggle: (key: string) => void;
  /** True if the members of groups are older updates, which the registry counts. */
  readonly areUpdates: boolean;
  /** Returns the versions of the members of a row's group; none if the row is no first row. */
  readonly listMembers: (row: Row) => readonly string[];
  /** True if the row belongs to the group of another one. */
  readonly isMember: (row: Row) => boolean;
}

interface GroupTerms {
  readonly source: Source;
  readonly filters: Filters;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

type Opening = Pick<Groups, 'opened' | 'toggle'>;

/** Returns the groups of older updates. The queue hides updates of which a newer one is pending. */
const toUpdateGroups = (opening: Opening): Groups => ({
  ...opening,
  areUpdates: true,
  listMembers: ({ older }) => older,
  isMember: ({ newer }) => newer !== null,
});

const toPackageGroups = (
  members: ReadonlyMap<string, readonly Row[]>,
  opening: Opening,
): Groups => {
  const keys = new Set([...members.values()].flat().map(({ key }) => key));
  return {
    ...opening,
    areUpdates: false,
    listMembers: ({ key }) => (members.get(key) ?? []).map(({ version }) => version),
    isMember: ({ key }) => keys.has(key),
  };
};

/** Returns the rows of a list to show, and their groups. A batch and the list of all packages have older updates as rows. */
export const useGroups = (
  { rows, total }: Listing,
  { source, filters, outcomes }: GroupTerms,
): { readonly rows: readonly Row[]; readonly groups: Groups | undefined } => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isWhole = total !== undefined && rows.length >= total;
  const isByPackage = filters.group === 'package';
  const folded = useMemo(() => {
    const isDecided = (row: Row): boolean => findStatus(row, outcomes) !== row.status;
    return isByPackage ? [] : foldUpdates(rows, { opened, isWhole, isDecided });
  }, [rows, opened, isWhole, outcomes, isByPackage]);
  const grouped = useMemo(
    () => (isByPackage ? groupByPackage(rows, opened) : undefined),
    [rows, opened, isByPackage],
  );
  const toggle = (key: string): void =>
    setOpened((before) => {
      const others = [...before].filter((one) => one !== key);
      return new Set(before.has(key) ? others : [...others, key]);
    });
  const opening = { opened, toggle };
  if (grouped) return { rows: grouped.rows, groups: toPackageGroups(grouped.members, opening) };
  if (source !== 'queue' || filters.batch !== '') return { rows, groups: undefined };
  return { rows: folded, groups: toUpdateGroups(opening) };
};

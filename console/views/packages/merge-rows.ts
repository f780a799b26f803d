interface Keyed {
  readonly key: string;
}

interface MergeTerms {
  readonly isNewestFirst: boolean;
  /** Given if the new rows are the first page of the list, with the total of the list. */
  readonly first?: { readonly total: number | undefined };
  /** Returns true if the row has an outcome to show, so that it stays in the list. */
  readonly hasOutcome: (key: string) => boolean;
}

/** Returns the number of known rows that belong to the first page of the list. */
const countCovered = (
  known: readonly Keyed[],
  fresh: ReadonlyMap<string, Keyed>,
  { isNewestFirst, total }: { readonly isNewestFirst: boolean; readonly total: number | undefined },
): number => {
  if (fresh.size === total) return known.length;
  const covered = known.findLastIndex(({ key }) => fresh.has(key)) + 1;
  // With the oldest first, none of the known rows is left. With the newest first, they may be behind the first page.
  return covered === 0 && !isNewestFirst ? known.length : covered;
};

/**
 * Merges new rows into the known ones, which keep their positions. Further rows go to the end where the list grows. Removes
 * a known row that belongs to the first page and is missing there, because it no longer matches.
 */
export const mergeRows = <Row extends Keyed>(
  known: readonly Row[],
  read: readonly Row[],
  { isNewestFirst, first, hasOutcome }: MergeTerms,
): Row[] => {
  const fresh = new Map(read.map((row) => [row.key, row]));
  const keys = new Set(known.map(({ key }) => key));
  const covered = first ? countCovered(known, fresh, { isNewestFirst, total: first.total }) : 0;
  const kept = known.flatMap((row, at) => {
    const isGone = at < covered && !fresh.has(row.key) && !hasOutcome(row.key);
    return isGone ? [] : [fresh.get(row.key) ?? row];
  });
  const further = read.filter(({ key }) => !keys.has(key));
  return isNewestFirst ? [...further, ...kept] : [...kept, ...further];
};

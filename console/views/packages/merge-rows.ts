interface Keyed {
  readonly key: string;
}

interface MergeTerms {
  readonly isNewestFirst: boolean;
  /** Whether the rows read are the beginning of the list; then how many there are in all. */
  readonly first?: { readonly total: number | undefined };
  /** Whether the console knows what became of a row: it keeps its place then, and says so. */
  readonly hasOutcome: (key: string) => boolean;
}

/** Returns how many of the known rows have their places among the first rows of the list. */
const countCovered = (
  known: readonly Keyed[],
  fresh: ReadonlyMap<string, Keyed>,
  { isNewestFirst, total }: { readonly isNewestFirst: boolean; readonly total: number | undefined },
): number => {
  if (fresh.size === total) return known.length;
  const covered = known.findLastIndex(({ key }) => fresh.has(key)) + 1;
  // The oldest of a list that begins with others are gone; the newest may have moved on behind these.
  return covered === 0 && !isNewestFirst ? known.length : covered;
};

/**
 * Merges rows that were read into the known ones, which keep their places: new rows go where the list goes on. A known row
 * that should be among the first rows and is not there matches no more, and is left out.
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

/** Limits of a group: number of items, and their total bytes as returned by `measure`. */
interface GroupLimits<Item> {
  readonly mostItems: number;
  readonly mostBytes: number;
  readonly measure: (item: Item) => number;
}

/** Returns items in groups within the limits, in their order. An item above the byte limit is alone in its group. */
export const splitBySize = <Item>(
  items: readonly Item[],
  { mostItems, mostBytes, measure }: GroupLimits<Item>,
): Item[][] => {
  const groups: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = measure(item);
    const last = groups.at(-1);
    if (last && last.length < mostItems && bytes + size <= mostBytes) {
      last.push(item);
      bytes += size;
    } else {
      groups.push([item]);
      bytes = size;
    }
  }
  return groups;
};

/** Returns items in groups of at most `size`, in their order. */
export const splitInto = <Item>(size: number, items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );

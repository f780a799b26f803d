/**
 * Groups items by key, in the order of the first item of each key. `Map.groupBy` is missing in the oldest Node.js
 * version that the command line supports.
 */
export const groupBy = <Item, Key>(
  items: Iterable<Item>,
  toKey: (item: Item) => Key,
): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

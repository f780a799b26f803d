/**
 * Items by the key of each, in the order in which keys first come. `Map.groupBy` does the same, but not in the oldest
 * Node.js that the command line runs on.
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

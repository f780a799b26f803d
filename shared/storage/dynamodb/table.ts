import type { TableId } from '../../api/resources.ts';

/** An item as the document client reads it, before it has a type. */
export type StoredItem = Record<string, unknown>;

/** A primary key. All key attributes are text. */
export type ItemKey = Record<string, string>;

/**
 * A table of the deployment, and what its items are. Whoever reads or writes one names it by this, so that what a table
 * holds is said in one place. A table with several kinds of items has one of these for each kind.
 */
export interface Table<Item extends object> {
  readonly id: TableId;
  /** Never there; it carries the type. */
  readonly item?: Item;
}

export const defineTable = <Item extends object>(id: TableId): Table<Item> => ({ id });

/** Gives what was read from a table its type: the only cast of an item. Functions of this code alone write to the tables. */
export const typeItem = <Item extends object>(_: Table<Item>, item: StoredItem): Item =>
  item as unknown as Item;

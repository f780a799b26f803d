import type { TableId } from '../../api/resources.ts';

/** Item as the document client returns it, without a type. */
export type StoredItem = Record<string, unknown>;

/** Primary key of an item. All key attributes are text. */
export type ItemKey = Record<string, string>;

/**
 * Table of the deployment, with the type of its items.
 * All reads and writes take this value, so that one place defines the items of a table. A table with several kinds of
 * items has one definition for each kind.
 */
export interface Table<Item extends object> {
  readonly id: TableId;
  /** Always absent; the property only carries the type. */
  readonly item?: Item;
}

export const defineTable = <Item extends object>(id: TableId): Table<Item> => ({ id });

/** Returns a stored item with its type. This is the only cast of an item: only this code writes to the tables. */
export const typeItem = <Item extends object>(_: Table<Item>, item: StoredItem): Item =>
  item as unknown as Item;

import type { TableId } from '../../api/resources.ts';
import type { StoredItem } from '../dynamodb/table.ts';

/** Changes of stored items from one data format to the next. */
export interface Migration {
  /** Format after the migration. The format before it is one less. */
  readonly to: number;
  /** Upgrade of one item, for each table with changed items. */
  readonly upgrades: { readonly [T in TableId]?: UpgradeItem };
}

/**
 * Returns the item in the new form, or the given one if nothing changes. An interrupted migration repeats upgrades, so an item
 * in the new form has to stay as it is. The key of an item cannot change.
 */
export type UpgradeItem = (item: StoredItem) => StoredItem;

/** Migrations to the format of this release, from the first format on. */
export const migrations: readonly Migration[] = [];

import { formatKeyValue } from '../../api/data-format.ts';
import { findTableDefinition, type TableId } from '../../api/resources.ts';
import type { ItemKey } from './table.ts';

/** Item of each table with the format of the other items. Other software may read it, too. */
export interface FormatItem {
  readonly format: number;
  /** Format of an upgrade in progress. */
  readonly upgrading_to?: number;
  /** Key after which each segment of an interrupted upgrade continues; null for a finished segment. */
  readonly positions?: readonly (ItemKey | null)[];
}

/** Returns the key of a table's item with its format. */
export const formatKey = (id: TableId): ItemKey => {
  const { partitionKey, sortKey } = findTableDefinition(id);
  return Object.fromEntries(
    [partitionKey, sortKey].flatMap((name) => (name === undefined ? [] : [[name, formatKeyValue]])),
  );
};

/** True for the item with a table's format. Only the migration reads it with the other items. */
export const isFormatItem = (id: TableId, item: object): boolean =>
  (item as Readonly<Record<string, unknown>>)[findTableDefinition(id).partitionKey] ===
  formatKeyValue;

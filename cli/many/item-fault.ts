import { isPrototypeKey, type JsonObject, maxNesting } from '../../shared/util/json.ts';
import { formatCount } from '../output/text.ts';
import { maxBatchBytes, measureItem } from './batches.ts';

/** A request nests its items two levels deep. */
const maxItemNesting = maxNesting - 2;

const findKeyFault = (value: unknown, levels = maxItemNesting, owner = ''): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `nests more than ${maxItemNesting} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (isPrototypeKey(key, owner)) return `must not have a key ${JSON.stringify(key)}`;
    const fault = findKeyFault(inner, levels - 1, key);
    if (fault) return fault;
  }
  return undefined;
};

/** Returns the fault of an item that would make the registry refuse the whole request; undefined without one. */
export const findItemFault = (item: JsonObject): string | undefined =>
  findKeyFault(item) ??
  (measureItem(item) > maxBatchBytes
    ? `has more than ${formatCount(maxBatchBytes)} bytes`
    : undefined);

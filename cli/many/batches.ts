import { createHash } from 'node:crypto';
import { maxItems } from '../../shared/api/schemas/many.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { splitBySize } from '../../shared/util/split-into.ts';

/** The items of one request. */
export interface Batch {
  readonly items: readonly JsonObject[];
  /** The idempotency key: equal for equal items in the same order, so that an interrupted command can resume. */
  readonly key: string;
}

/** Below the limit of a request, which has more than its items. */
export const maxBatchBytes = 1_000_000;

/** Returns the bytes of an item in a request. */
export const measureItem = (item: JsonObject): number =>
  Buffer.byteLength(JSON.stringify(item)) + 1;

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Splits items into requests.
 * @param key the idempotency key that the user gave for all requests
 */
export const cutIntoBatches = (
  items: readonly JsonObject[],
  path: string,
  key: string | undefined,
): Batch[] => {
  const limits = { mostItems: maxItems, mostBytes: maxBatchBytes, measure: measureItem };
  const counts = new Map<string, number>();
  return splitBySize(items, limits).map((some, at) => {
    const content = digest([path, some]);
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    return { items: some, key: digest(key === undefined ? [content, count] : [path, key, at]) };
  });
};

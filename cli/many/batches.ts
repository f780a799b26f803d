import { createHash } from 'node:crypto';
import { maxItems } from '../../shared/api/schemas/many.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { splitBySize } from '../../shared/util/split-into.ts';

/** What goes in one request. */
export interface Batch {
  readonly items: readonly JsonObject[];
  /** The same for the same items at the same place among equal ones: what was interrupted goes on with it. */
  readonly key: string;
}

/** Below what a request may have, so that there is room for what goes around the items. */
export const maxBatchBytes = 1_000_000;

/** How many bytes an item takes in a request. */
export const measureItem = (item: JsonObject): number =>
  Buffer.byteLength(JSON.stringify(item)) + 1;

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Cuts items into as many requests as they need.
 * @param key the Idempotency-Key that was given for all, if one was
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

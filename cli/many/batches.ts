import { createHash } from 'node:crypto';
import type { JsonObject } from '../../shared/domain/json.ts';
import { maxItems } from '../../shared/schemas/many.ts';

/** What goes in one request. */
export interface Batch {
  readonly items: readonly JsonObject[];
  /** The same for the same items: the same command again gets the answers of the first one. */
  readonly key: string;
}

/** Below what a request may have, so that there is room for what goes around the items. */
const maxBytes = 1_000_000;

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
  const batches: JsonObject[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    const last = batches.at(-1);
    if (last && last.length < maxItems && bytes + size <= maxBytes) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches.map((some, at) => ({
    items: some,
    key: digest(key === undefined ? [path, some] : [path, key, at]),
  }));
};

import type { JsonObject } from '../../shared/domain/json.ts';
import { maxBatchBytes, measureItem } from './batches.ts';

/** How deep a request may nest is 32 levels; two of them go around its items. */
const maxNesting = 30;

/** What a program could take for part of the language. */
const isPrototypeKey = (key: string, owner: string): boolean =>
  key === '__proto__' || (key === 'prototype' && owner === 'constructor');

const findKeyFault = (value: unknown, levels = maxNesting, owner = ''): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `nests more than ${maxNesting} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (isPrototypeKey(key, owner)) return `must not have a key ${JSON.stringify(key)}`;
    const fault = findKeyFault(inner, levels - 1, key);
    if (fault) return fault;
  }
  return undefined;
};

/** What is so wrong with an item that the whole request with it would be refused; undefined if nothing is. */
export const findItemFault = (item: JsonObject): string | undefined =>
  findKeyFault(item) ??
  (measureItem(item) > maxBatchBytes
    ? `has more than ${maxBatchBytes.toLocaleString('en')} bytes`
    : undefined);

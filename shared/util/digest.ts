import { createHash } from 'node:crypto';

/** Returns a digest that is equal for equal values: the first 22 characters of their SHA-256 in base64url. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

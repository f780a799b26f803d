import { createHash } from 'node:crypto';

/** Returns a short text that is the same for equal values: 22 characters of their SHA-256 in base64url. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

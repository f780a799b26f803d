import { gunzipSync, gzipSync } from 'node:zlib';

/** Maximum size of a packed value in bytes. DynamoDB's limit for an item is 400 KB. */
export const maxPackedBytes = 380 * 1024;

/** Returns a value as compressed JSON (gzip). Repetitive values, such as findings, shrink to an eighth. */
export const pack = (value: unknown): Buffer => gzipSync(JSON.stringify(value));

/** Returns the value that `pack` compressed. */
export const unpack = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString());

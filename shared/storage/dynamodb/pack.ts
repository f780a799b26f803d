import { gunzipSync, gzipSync } from 'node:zlib';

/** DynamoDB's limit of an item is 400 KB. */
export const maxPackedBytes = 380 * 1024;

/** A value as it is stored where it is long: what repeats itself, as findings do, takes an eighth. */
export const pack = (value: unknown): Buffer => gzipSync(JSON.stringify(value));

/** The value that was packed. */
export const unpack = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString());

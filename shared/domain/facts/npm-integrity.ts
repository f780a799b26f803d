import { readTextAt } from '../../util/json.ts';

/** Hashes that npm clients verify. They ignore other values. */
const strong = /(?:^|\s)sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}(?:$|[\s?])/;

/** Returns the base64 of hexadecimal digits. */
const toBase64 = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

/** Returns the integrity value that npm clients verify. For old versions it is derived from `shasum`. */
export const findIntegrity = (dist: unknown): string | undefined => {
  const integrity = readTextAt(dist, 'integrity');
  if (integrity && strong.test(integrity)) return integrity;
  const shasum = readTextAt(dist, 'shasum') ?? '';
  return /^[0-9a-f]{40}$/i.test(shasum) ? `sha1-${toBase64(shasum)}` : undefined;
};

import { readTextAt } from '../../util/json.ts';

/** What else is there, clients pass over, and check nothing. */
const strong = /(?:^|\s)sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}(?:$|[\s?])/;

/** Returns the base64 of hexadecimal digits. */
const toBase64 = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

/** The checksum by which clients hold a file to what was approved; versions of long ago have it in another form only. */
export const findIntegrity = (dist: unknown): string | undefined => {
  const integrity = readTextAt(dist, 'integrity');
  if (integrity && strong.test(integrity)) return integrity;
  const shasum = readTextAt(dist, 'shasum') ?? '';
  return /^[0-9a-f]{40}$/i.test(shasum) ? `sha1-${toBase64(shasum)}` : undefined;
};

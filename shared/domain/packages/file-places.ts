import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';

/** Allowed location of files: URLs with the prefix `from` are downloaded from `to`. */
export interface FilePlace {
  readonly ecosystem: Ecosystem;
  readonly from: string;
  readonly to: string;
}

const toHref = (address: string): string | undefined => {
  const url = URL.parse(address);
  // Every client would get an account in it with a redirect.
  if (!url || !/^https?:\/\/[^/@]+\/[^?#]*$/.test(url.href)) return undefined;
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
};

/**
 * Parses `ECOSYSTEM:URL` and `ECOSYSTEM:URL=MIRROR`, separated by commas.
 * @returns undefined if one of them is invalid
 */
export const parseFilePlaces = (text: string): FilePlace[] | undefined => {
  if (text === 'none') return [];
  const places = text.split(',').map((entry) => {
    const [, named, addresses = ''] = /^\s*(\w+):(.*)$/s.exec(entry) ?? [];
    const ecosystem = ecosystems.find((one) => one === named);
    const [address = '', mirror = address, ...more] = addresses.split('=');
    const [from, to] = [toHref(address.trim()), toHref(mirror.trim())];
    return ecosystem && from && to && more.length === 0 ? { ecosystem, from, to } : undefined;
  });
  return places.every((place) => place !== undefined) ? places : undefined;
};

/** True if a URL has the host of another one and is at least as secure. */
const isAtHost = (address: URL, other: URL): boolean =>
  address.host === other.host &&
  (address.protocol === other.protocol || address.protocol === 'https:');

/** Allowed locations of an ecosystem's files. */
export interface FileRules {
  /** URL of the origin. */
  readonly origin: string;
  /** True if the origin stores files on other hosts. Any host is then allowed until `places` lists some. */
  readonly isSpread: boolean;
  readonly places: readonly Omit<FilePlace, 'ecosystem'>[];
}

/** Returns the URL from which a client downloads a file, or undefined if its location is not allowed. */
export const locateFile = (
  address: string,
  { origin, isSpread, places }: FileRules,
): string | undefined => {
  const url = URL.parse(address);
  if (!url) return undefined;
  const place = places.find(({ from }) => url.href.startsWith(from));
  if (place) return `${place.to}${url.href.slice(place.from.length)}`;
  if (isAtHost(url, new URL(origin))) return url.href;
  return isSpread && places.length === 0 && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

import { type Ecosystem, ecosystems } from './ecosystem.ts';

/** Where files may lie: addresses that begin with `from`, which are to be had at an address that begins with `to`. */
export interface FilePlace {
  readonly ecosystem: Ecosystem;
  readonly from: string;
  readonly to: string;
}

const toHref = (address: string): string | undefined => {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(address)) return undefined;
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
};

/**
 * Reads `ECOSYSTEM:ADDRESS` and `ECOSYSTEM:ADDRESS=MIRROR`, with commas between.
 * @returns undefined where one of them is none
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

/** Whether an address is at the host of another one, and no less safe. */
const isAtHost = (address: URL, other: URL): boolean =>
  address.host === other.host &&
  (address.protocol === other.protocol || address.protocol === 'https:');

/** Where the files of an ecosystem may come from. */
export interface FileRules {
  /** The address of the origin. */
  readonly origin: string;
  /** Whether the origin keeps files at other hosts than its own, as long as nobody says at which. */
  readonly isSpread: boolean;
  readonly places: readonly Omit<FilePlace, 'ecosystem'>[];
}

/** The address at which a client gets a file; undefined where it lies nowhere that files may come from. */
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

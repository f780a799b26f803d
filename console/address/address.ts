import { useEffect, useState } from 'preact/hooks';
import { toVersionSegments } from '../../shared/domain/packages/console-path.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import type { VersionId } from './version-id.ts';

/** The part of the URL after `#`, parsed: `#/queue/npm/left-pad/1.3.0?search=pad`. */
export interface Address {
  readonly view: string;
  readonly id: VersionId | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const toId = ([ecosystem, name, version]: readonly string[]): VersionId | undefined => {
  const known = ecosystems.find((one) => one === ecosystem);
  return known && name && version ? { ecosystem: known, name, version } : undefined;
};

const parseAddress = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...segments] = path.split('/').map(decode);
  return {
    view,
    id: toId(segments),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
};

/** Returns the address of a view as a URL hash. Leaves out empty parameters. */
export const formatAddress = ({ view, id, query = {} }: Partial<Address>): string => {
  const segments = id ? toVersionSegments(id) : [];
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `#/${[view, ...segments].join('/')}${search}`;
};

const hashChange = 'hashchange';

/** Opens an address. With `replace`, the current address leaves the browser's history. */
export const goTo = (address: Partial<Address>, { replace = false } = {}): void => {
  const hash = formatAddress(address);
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  dispatchEvent(new Event(hashChange));
};

/** Returns the current address. */
export const readAddress = (): Address => parseAddress(location.hash);

/** Returns the current address, and renders again when it changes. */
export const useAddress = (): Address => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener(hashChange, follow);
    return () => removeEventListener(hashChange, follow);
  }, []);
  return parseAddress(hash);
};

import { type LookupAddress, lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressKind, findAddressKind } from './address-kind.ts';
import { AskError } from './upstream-error.ts';

/** Whether a connection may be made to an address of some kind. */
export type Permits = (kind: AddressKind) => boolean;

/** Looks up all addresses of a name. */
export type LookUpAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** A name leads, or an address belongs, to a network to which nobody may be sent from outside. */
export class RefusedAddressError extends AskError {
  constructor(hostname: string, kind: AddressKind) {
    super(`${hostname.slice(0, 300)} is at a ${kind} address, which is not asked`);
  }
}

/**
 * A lookup for sockets that refuses names of which any address is not permitted. A socket connects to the very addresses
 * that were checked, so that a name cannot lead elsewhere a moment later. Sockets look up no IP addresses: these are to be
 * checked before.
 */
export const guardLookup =
  (permits: Permits, lookUpAll: LookUpAll = lookUp): LookupFunction =>
  (hostname, options, callback) => {
    lookUpAll(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return callback(error ?? new Error('The name has no address'), '');
      const refused = found
        .map(({ address }) => findAddressKind(address))
        .find((kind) => !permits(kind));
      if (refused) return callback(new RefusedAddressError(hostname, refused), '');
      if (options.all) return callback(null, found);
      return callback(null, first.address, first.family);
    });
  };

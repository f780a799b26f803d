import { type LookupAddress, lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressKind, findAddressKind } from './address-kind.ts';
import { UpstreamError } from './upstream-error.ts';

/** True if connections to addresses of this kind are allowed. */
export type Permits = (kind: AddressKind) => boolean;

/** Resolves all addresses of a name. */
export type LookUpAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Error for a host in a network to which external input must not send requests. */
export class RefusedAddressError extends UpstreamError {
  constructor(hostname: string, kind: AddressKind) {
    super(`${hostname.slice(0, 300)} has a ${kind} address, to which requests are not allowed`);
  }
}

/**
 * Returns a DNS lookup for sockets that fails if any address of the name is not permitted. The socket connects to the
 * checked addresses, so a later DNS change has no effect. Sockets do not look up IP addresses: callers must check
 * these.
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

import { isIP } from 'node:net';
import { findAddressKind } from '../../shared/util/outbound-http/address-kind.ts';

/** Returns the host of a URL without the brackets of an IPv6 address. */
const toHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** True for `localhost` and loopback addresses. */
export const isThisMachine = (url: URL): boolean => {
  const host = toHost(url);
  if (isIP(host) !== 0) return findAddressKind(host) === 'loopback';
  return /(?:^|\.)localhost\.?$/.test(host);
};

/**
 * True if the command line may request a URL that somebody else may have named. Only a registry on this machine may lead to this
 * machine, and none to a reserved address.
 * @param registry URL of the registry
 */
export const isAllowedAddress = (url: URL, registry: string): boolean => {
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return false;
  if (isThisMachine(url)) return isThisMachine(new URL(registry));
  const host = toHost(url);
  const kind = isIP(host) === 0 ? 'public' : findAddressKind(host);
  return kind === 'public' || kind === 'private';
};

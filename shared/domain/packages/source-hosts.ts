/** Where the packages of an ecosystem come from, as hosts with their ports. */
export interface OriginHosts {
  /** Of the index. */
  readonly index_hosts: string[];
  /** Of files; null where nothing is known of them, as the origin keeps files at other hosts than its own. */
  readonly file_hosts: string[] | null;
}

/** Whether something is read from the network of this machine alone. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);

/** The host of an address, with its port unless that is the usual one; undefined for what has none. */
export const findHost = (address: string): string | undefined =>
  URL.parse(address)?.host || undefined;

/**
 * Explains why files of an address are not those of the origin, to complete the sentence "It …".
 * @param hosts those that files may come from; null where these are not known, and only plain HTTP is refused
 * @returns undefined where nothing is wrong
 */
export const explainSource = (
  address: string,
  hosts: ReadonlySet<string> | null,
): string | undefined => {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return `comes from ${address}, which is no registry`;
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return `comes from ${url.host} over plain HTTP, where anybody on the way can change it`;
  }
  if (!hosts || hosts.has(url.host)) return undefined;
  return `comes from ${url.host}, which is neither the origin of its ecosystem nor this registry`;
};

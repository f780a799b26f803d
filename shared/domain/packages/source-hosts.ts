/** Hosts, with ports, from which the packages of an ecosystem come. */
export interface OriginHosts {
  /** Hosts of the index. */
  readonly index_hosts: string[];
  /** Hosts of files; null if unknown, because the origin stores files on other hosts. */
  readonly file_hosts: string[] | null;
}

/** True for a loopback URL. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);

/** Returns the host of a URL with a non-default port, or undefined for other texts. */
export const findHost = (address: string): string | undefined =>
  URL.parse(address)?.host || undefined;

/**
 * Explains why a file does not come from an allowed host, to complete the sentence "It …".
 * @param hosts allowed hosts; null if unknown, then only plain HTTP is refused
 * @param unlisted describes another host
 * @returns undefined if the source is allowed
 */
export const explainSource = (
  address: string,
  hosts: ReadonlySet<string> | null,
  unlisted = 'neither the origin of its ecosystem nor this registry',
): string | undefined => {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    return `comes from ${address}, which is not a registry`;
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return `comes from ${url.host} over plain HTTP, which does not protect its content`;
  }
  if (!hosts || hosts.has(url.host)) return undefined;
  return `comes from ${url.host}, which is ${unlisted}`;
};

import { BlockList, isIP } from 'node:net';

/**
 * Network of an IP address. `public`: the internet. `reserved`: unused addresses, and those that embed another address.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'reserved';

type Range = readonly [address: string, prefix: number];

/** IANA's IPv4 Special-Purpose Address Registry, in order of precedence. */
const ipv4Ranges: Readonly<Record<Exclude<AddressKind, 'public'>, readonly Range[]>> = {
  loopback: [['127.0.0.0', 8]],
  'link-local': [['169.254.0.0', 16]],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    // Carrier-grade NAT, and within clusters (RFC 6598).
    ['100.64.0.0', 10],
    // For benchmarks and documentation. Some proxies and test networks use them for internet hosts.
    ['192.0.2.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ],
  reserved: [
    ['0.0.0.0', 8],
    ['192.0.0.0', 24],
    ['192.88.99.0', 24],
    ['224.0.0.0', 3],
  ],
};

/** IANA's IPv6 Special-Purpose Address Registry, as far as it differs from public addresses. */
const ipv6Ranges: typeof ipv4Ranges = {
  loopback: [['::1', 128]],
  'link-local': [
    ['fe80::', 10],
    // AWS services of an instance or task: metadata and credentials, DNS, time.
    ['fd00:ec2::', 32],
  ],
  private: [['fc00::', 7]],
  reserved: [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ],
};

/** IPv6 prefixes that embed an IPv4 address: IPv4-mapped (RFC 4291) and NAT64 (RFC 6052). */
const embeddings = ['::ffff:', '64:ff9b::'];

const kinds = ['loopback', 'link-local', 'private', 'reserved'] as const;

const makeList = (kind: (typeof kinds)[number]): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ipv4Ranges[kind]) {
    list.addSubnet(address, prefix, 'ipv4');
    for (const before of embeddings) list.addSubnet(`${before}${address}`, 96 + prefix, 'ipv6');
  }
  for (const [address, prefix] of ipv6Ranges[kind]) list.addSubnet(address, prefix, 'ipv6');
  return list;
};

const lists = kinds.map((kind) => [kind, makeList(kind)] as const);

const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');
for (const before of embeddings) publicIpv6.addSubnet(`${before}0.0.0.0`, 96, 'ipv6');

/** Returns the network of an IP address, or `reserved` for other texts. */
export const findAddressKind = (text: string): AddressKind => {
  const address = text.replace(/%.*$/, '');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0) return 'reserved';
  const [special] = lists.find(([, list]) => list.check(address, family)) ?? [];
  if (special) return special;
  return family === 'ipv4' || publicIpv6.check(address, 'ipv6') ? 'public' : 'reserved';
};

import { describe, expect, it } from 'vitest';
import { findAddressKind } from '../../../shared/util/outbound-http/address-kind.ts';
import { guardLookup, type LookUpAll } from '../../../shared/util/outbound-http/guarded-lookup.ts';

describe('the kind of an address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['100.127.255.255', 'private'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['169.254.170.2', 'link-local'],
    ['::ffff:a9fe:a9fe', 'link-local'],
    ['64:ff9b::169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fd00:ec2::254', 'link-local'],
    ['0.0.0.0', 'reserved'],
    ['0.1.2.3', 'reserved'],
    ['::', 'reserved'],
    ['::ffff:0.0.0.0', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['192.0.2.1', 'private'],
    ['198.18.0.1', 'private'],
    ['224.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['2002:7f00:1::', 'reserved'],
    ['2001::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['64:ff9b:1::1', 'reserved'],
    ['fec0::1', 'reserved'],
    ['ff02::1', 'reserved'],
    ['no address', 'reserved'],
    ['9.255.255.255', 'public'],
    ['11.0.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['126.255.255.255', 'public'],
    ['128.0.0.0', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['151.101.0.223', 'public'],
    ['::ffff:151.101.0.223', 'public'],
    ['64:ff9b::151.101.0.223', 'public'],
    ['2a04:4e42::223', 'public'],
  ])('of %s is %s', (address, kind) => {
    expect(findAddressKind(address)).toBe(kind);
  });
});

describe('a guarded lookup', () => {
  const leadTo =
    (...addresses: readonly string[]): LookUpAll =>
    (_name, _options, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  const look = (lookUpAll: LookUpAll, all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const guarded = guardLookup((kind) => kind === 'public', lookUpAll);
      guarded('files.example', { all }, (error, ...found) => resolve(error?.message ?? found));
    });

  it('hands on what is public, one address or all', async () => {
    const lookUpAll = leadTo('151.101.0.223', '2a04:4e42::223');

    expect(await look(lookUpAll, false)).toEqual(['151.101.0.223', 4]);
    expect(await look(lookUpAll, true)).toEqual([
      [
        { address: '151.101.0.223', family: 4 },
        { address: '2a04:4e42::223', family: 6 },
      ],
    ]);
  });

  it.each([true, false])(
    'refuses a name with a single address that is not, all: %s',
    async (all) => {
      const refused = 'files.example has a link-local address, to which requests are not allowed';

      expect(await look(leadTo('151.101.0.223', '169.254.169.254'), all)).toBe(refused);
    },
  );

  it('has no address where there is none', async () => {
    expect(await look(leadTo(), false)).toBe('The name has no address');
  });
});

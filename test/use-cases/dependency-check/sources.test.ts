import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/use-cases/dependency-check/findings.ts';
import { holdToSources } from '../../../shared/use-cases/dependency-check/sources.ts';

const origins = {
  npm: { index_hosts: ['origin.example.com'], file_hosts: ['origin.example.com'] },
};

const own: Finding = {
  ...{ ecosystem: 'npm', name: '@acme/shop', version: '1.0.0', status: 'unknown', allowed: true },
  ...{ expires_at: null, in_baseline: false, found_in: [] },
  ...{ rule: null, waits_for: [], waits_until: null },
  reasons: [{ code: 'own_package', message: 'It needs no review.' }],
};

const hold = (address: string, trusted: readonly string[] = []) =>
  holdToSources(
    own,
    {
      dependency: {
        ...{ ecosystem: 'npm', name: '@acme/shop', version: '1.0.0' },
        addresses: [address],
      },
      places: [],
    },
    { origins, trusted },
  );

describe('one of the own packages', () => {
  const repository = 'https://packages.acme.example/@acme/shop/-/shop-1.0.0.tgz';

  it.each([
    repository,
    'https://origin.example.com/@acme/shop/-/shop-1.0.0.tgz',
    // Yarn 1 writes this kind of host for every package of the public registry.
    'https://mirror.example.org/@acme/shop/-/shop-1.0.0.tgz',
    'https://origin.example.com./@acme/shop/-/shop-1.0.0.tgz',
    'http://packages.acme.example/shop-1.0.0.tgz',
    'git://packages.acme.example/shop',
    'not an address',
  ])('is refused from a host that nobody named: %s', (address) => {
    expect(hold(address)).toMatchObject({
      ...{ status: 'other_source', allowed: false },
      reasons: [
        { code: 'other_source', message: expect.stringContaining('dependency confusion') },
        {},
      ],
    });
  });

  it('may come from a named host, also if it is that of the origin, as for a mirror', () => {
    expect(hold(repository, ['packages.acme.example'])).toEqual(own);
    expect(hold('https://origin.example.com/shop-1.0.0.tgz', ['origin.example.com'])).toEqual(own);
  });

  it('is refused over plain HTTP also from a named host', () => {
    const address = 'http://packages.acme.example/shop-1.0.0.tgz';

    expect(hold(address, ['packages.acme.example']).allowed).toBe(false);
  });
});

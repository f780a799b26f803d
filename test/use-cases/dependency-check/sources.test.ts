import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/use-cases/dependency-check/findings.ts';
import { holdToSources } from '../../../shared/use-cases/dependency-check/sources.ts';

const origins = {
  npm: { index_hosts: ['origin.example.com'], file_hosts: ['origin.example.com'] },
};

const own: Finding = {
  ...{ ecosystem: 'npm', name: '@acme/shop', version: '1.0.0', status: 'unknown', allowed: true },
  ...{ expires_at: null, in_baseline: false, found_in: [] },
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
  it('may come from any host besides the origin', () => {
    expect(hold('https://packages.acme.example/shop-1.0.0.tgz')).toEqual(own);
  });

  it('is refused from the origin, where a stranger may have published its name', () => {
    expect(hold('https://origin.example.com/@acme/shop/-/shop-1.0.0.tgz')).toMatchObject({
      ...{ status: 'other_source', allowed: false },
      reasons: [
        { code: 'other_source', message: expect.stringContaining('dependency confusion') },
        {},
      ],
    });
  });

  it('may come from the origin if the project trusts that host, as for a mirror', () => {
    expect(hold('https://origin.example.com/shop-1.0.0.tgz', ['origin.example.com'])).toEqual(own);
  });
});

import { expect, it } from 'vitest';
import { originAddresses } from '../../infra/origin-addresses.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';

it.each(ecosystems)('has a valid upstream registry for %s', (ecosystem) => {
  const url = new URL(originAddresses()[ecosystem]);

  expect(url.protocol).toBe('https:');
  expect(url.hostname).toContain('.');
  // A base URL for the protocol's paths, without a package or a query.
  expect(url.href).toMatch(/^https:\/\/[a-z0-9.-]+(?:\/[a-z0-9]+)?\/$/);
});

it('has a different upstream registry for each ecosystem', () => {
  expect(new Set(Object.values(originAddresses())).size).toBe(ecosystems.length);
});

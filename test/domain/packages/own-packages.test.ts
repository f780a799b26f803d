import { expect, it } from 'vitest';
import { isOwnPackage, parseOwnPackages } from '../../../shared/domain/packages/own-packages.ts';

it.each(['npm:@acme/*', 'npm:@acme/*, maven:com.acme:*,docker:registry.acme.example/*', 'none'])(
  'accepts %s',
  (text) => {
    expect(parseOwnPackages(text)).toBeDefined();
  },
);

it.each([
  '',
  '*',
  'npm:*',
  'npm:a*',
  'npm:',
  '@acme/*',
  'rubygems:acme-*',
  'npm:@acme/*,',
  'npm:@acme /*',
  Array.from({ length: 101 }, (_, at) => `npm:@acme-${at}/*`).join(),
])('refuses %j', (text) => {
  expect(parseOwnPackages(text)).toBeUndefined();
});

it.each([
  ['npm', '@acme/shop', true],
  ['npm', '@acme-evil/shop', false],
  ['pypi', 'ACME.Tools', true],
  ['npm', 'acme-tools', false],
  ['maven', 'com.acme:shop', true],
  ['maven', 'com.acmeevil:shop', false],
  ['docker', 'registry.acme.example/shop', true],
  ['docker', 'acme/shop', false],
] as const)('%s:%s: %s', (ecosystem, name, expected) => {
  const patterns = 'npm:@acme/*,pypi:acme-*,maven:com.acme:*,docker:registry.acme.example/*';

  expect(isOwnPackage(parseOwnPackages(patterns) ?? [], { ecosystem, name })).toBe(expected);
});

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

it.each([
  ['*.acme.example/*', 'eu.acme.example/shop', true],
  ['*.acme.example/*', 'eu.acme.example:5000/shop', false],
  ['*.acme.example/*', 'evil.example/x.acme.example/shop', false],
  ['*.acme.example/*', 'docker.io/x.acme.example/shop', false],
  ['1234.dkr.ecr.*.amazonaws.com/*', '1234.dkr.ecr.eu-west-1.amazonaws.com/a/b', true],
  ['1234.dkr.ecr.*.amazonaws.com/*', '1234.dkr.ecr.evil.example/x.amazonaws.com/b', false],
  ['acme.example:*/shop/*', 'acme.example:5000/shop/web', true],
  ['acme.example:*/shop/*', 'acme.example:5000/evil/shop/web', false],
  ['docker.io/acme/*', 'acme/shop', true],
  ['docker.io/acme/*', 'evil.example/acme/shop', false],
])('the host of docker:%s is none of a path: %s: %s', (pattern, name, expected) => {
  const own = parseOwnPackages(`docker:${pattern}`) ?? [];

  expect(isOwnPackage(own, { ecosystem: 'docker', name })).toBe(expected);
});

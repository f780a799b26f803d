import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackageName } from '../../../shared/domain/packages/package-id.ts';
import {
  type NameKey,
  resembles,
  toNameKey,
} from '../../../shared/domain/packages/similar-names.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

const isNear = (one: NameKey, other: NameKey): boolean =>
  one.letters === other.letters && Math.abs(one.length - other.length) <= 1;

/** True if a search for either name finds the other one. */
const findsEachOther = (one: PackageName, other: PackageName): boolean =>
  isNear(toNameKey(one), toNameKey(other)) && resembles(one, other) && resembles(other, one);

const named = (ecosystem: Ecosystem) => (name: string) => ({ ecosystem, name });

describe('names that resemble each other', () => {
  it.each([
    ['npm', 'cross-env', 'crossenv', 'a missing separator'],
    ['npm', 'object-assign', 'object.assign', 'a swapped separator'],
    ['npm', '@types/node', 'types-node', 'no scope'],
    ['npm', '@types/node', 'typesnode', 'no scope and no separator'],
    ['npm', '@typescript-eslint/parser', '@typescript_eslint/parser', 'a look-alike scope'],
    ['npm', 'react-router-dom', 'react-router-dom.js', 'a suffix'],
    ['npm', 'typescript', 'typescriptjs', 'a suffix without a separator'],
    ['npm', 'lodash', '1odash', 'a digit for a letter'],
    ['npm', 'lodash', 'Iodash', 'a capital letter for a small one'],
    ['npm', 'JSONStream', 'jsonstream', 'another case'],
    ['npm', 'commander', 'comrnander', 'two letters for one'],
    ['npm', 'webpack', 'vvebpack', 'two letters for a w'],
    ['npm', 'express', 'expresss', 'a doubled letter'],
    ['npm', 'mongoose', 'mongose', 'a letter of a double left out'],
    ['npm', 'lodash', 'loadsh', 'two swapped letters'],
    ['npm', 'express', 'exprses', 'a swap that separates a double'],
    ['npm', 'retorn', 'retonr', 'a swap that separates a look-alike'],
    ['pypi', 'jellyfish', 'jeIlyfish', 'a capital i for an l'],
    ['pypi', 'python-dateutil', 'python3-dateutil', null],
    ['pypi', 'colorama', 'coloarma', 'two swapped letters'],
    [
      'maven',
      'com.fasterxml.jackson.core:jackson-databind',
      'org.fasterxml.jackson.core:jackson-databind',
      'another top-level domain',
    ],
    [
      'maven',
      'org.apache.logging.log4j:log4j-core',
      'org.apache.logging:log4j.log4j-core',
      'a part of the group in the artifact',
    ],
    ['maven', 'org.acme:core', 'org.acme:cli', null],
    ['maven', 'org.slf4j:slf4j-api', 'org.slf4j:slf4j-jdk', null],
    ['docker', 'ghcr.io/acme/shop', 'gchr.io/acme/shop', 'a host with swapped letters'],
    ['docker', 'bitnami/redis', 'bitnamiredis', 'no namespace'],
    ['docker', 'library/nginx', 'nginx', null],
    ['pypi', 'Typing_Extensions', 'typing-extensions', null],
    ['npm', 'lodash', 'lodash', null],
    ['npm', 'lodash', 'lodahs', 'the last two letters swapped'],
    ['npm', 'lodash', 'sadhol', null],
    ['npm', 'lodash', 'oladhs', null],
    ['npm', 'lodash', 'lodasg', null],
    ['npm', 'base64-js', 'base46-js', null],
    ['npm', 'ws', 'wss', null],
    ['npm', 'ms', 'sm', null],
    ['npm', 'react', 'react-dom', null],
    ['npm', 'express', 'expresssss', null],
  ] as const)('%s: %s and %s: %s', (ecosystem, one, other, difference) => {
    const [first, second] = [one, other].map(named(ecosystem)) as [PackageName, PackageName];

    expect(findsEachOther(first, second)).toBe(difference !== null);
  });

  it('are of one ecosystem', () => {
    expect(resembles(named('npm')('lodash'), named('pypi')('lo-dash'))).toBe(false);
  });
});

const word = fc.stringMatching(/^[a-z]{2,9}$/);
const npmName = fc
  .tuple(fc.option(word), fc.array(word, { minLength: 1, maxLength: 4 }))
  .map(([scope, words]) => (scope ? `@${scope}/${words.join('-')}` : words.join('-')))
  .filter((name) => name.replace(/[^a-z]/g, '').length >= 5);

/** Inserts, removes or changes characters at a place of a name. */
type Trick = (name: string, at: number) => string;

const swapLetters: Trick = (name, at) => {
  const letters = name.replace(/[^a-z]/g, '');
  const place = at % (letters.length - 1);
  return [
    letters.slice(0, place),
    letters[place + 1],
    letters[place],
    letters.slice(place + 2),
  ].join('');
};

const tricks: readonly (readonly [string, Trick])[] = [
  ['without separators', (name) => name.replace(/[^a-z]/g, '')],
  ['with other separators', (name) => name.replace('@', '').replace(/[/-]/g, '_')],
  ['with digits for letters', (name) => name.replaceAll('l', '1').replaceAll('o', '0')],
  ['with rn for m', (name) => name.replaceAll('m', 'rn')],
  [
    'with a doubled letter',
    (name, at) => {
      const letters = name.replace(/[^a-z]/g, '');
      const place = at % letters.length;
      return `${letters.slice(0, place + 1)}${letters.slice(place)}`;
    },
  ],
  ['with two swapped letters', swapLetters],
];

it.each(tricks)('finds each name %s', (_, trick) => {
  fc.assert(
    fc.property(npmName, fc.nat(), (name, at) => {
      const [original, copy] = [named('npm')(name), named('npm')(trick(name, at))];
      // The suffix `js` is dropped, so that its letters cannot be swapped.
      fc.pre(original.name !== copy.name && !/(?:js|sj)$/.test(name));

      expect(findsEachOther(original, copy)).toBe(true);
    }),
    { seed: 20261127, numRuns: 500 },
  );
});

it('finds two similar names among the hundreds that this repository depends on', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, unknown>>;
  };
  const paths = Object.keys(packages).filter((path) => path.includes('node_modules/'));
  const names = [...new Set(paths.map((path) => path.replace(/^.*node_modules\//, '')))];

  const byLetters = Map.groupBy(names.map(named('npm')), (name) => toNameKey(name).letters);
  const similar = [...byLetters.values()].flatMap((near) =>
    near.filter((name) => near.some((other) => resembles(name, other))),
  );

  expect(names.length).toBeGreaterThan(400);
  expect(similar.map(({ name }) => name).sort()).toEqual(['uri-js', 'urijs']);
});

import { describe, expect, it } from 'vitest';
import {
  listSearchTexts,
  matchesSearch,
  maxSearchTexts,
  parseSearchTerm,
} from '../../../shared/domain/packages/search.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

const finds = (
  search: string,
  name: string,
  description: string | null = null,
  ecosystem: Ecosystem = 'npm',
): boolean => {
  const term = parseSearchTerm(search);
  if (!term) throw new Error('A blank term filters nothing');
  return matchesSearch({ ecosystem, name, description }, term);
};

describe('searchTerm', () => {
  it.each(['', '   ', '\t\n'])('is no filter when blank: %j', (search) => {
    expect(parseSearchTerm(search)).toBeUndefined();
  });

  it('counts the first 32 characters only', () => {
    expect(parseSearchTerm('a'.repeat(40))?.text).toBe('a'.repeat(32));
  });
});

describe('matchesSearch', () => {
  it.each([
    ['sql', 'mysql', null],
    ['MYSQL', 'mysql', null],
    ['my', 'mysql', null],
    ['m', 'mysql', null],
    ['web ser', 'express', 'Fast web  server'],
    ['SERVER', 'express', 'A (server)'],
    ['ｗｅｂ', 'express', 'a web server'],
    ['über', 'x', 'Ein Über-Paket'],
    ['ΟΔΟΣ', 'x', 'ΟΔΟΣΑΡΙΘΜΟΣ'],
    ['ver', '@types/ver', null],
    ['types/n', '@types/node', null],
    ['abcdefghijklmnopqrstuvwxyz', 'x-abcdefghijklmnopqrstuvwxyz-y', null],
    ['slf4j:slf', 'org.slf4j:slf4j-api', null],
  ])('finds %j in name %j, description %j', (search, name, description) => {
    expect(finds(search, name, description)).toBe(true);
  });

  it.each<[string, string, string | null, string]>([
    ['sq', 'mysql', null, 'two characters only start a name'],
    ['fa', 'express', 'Fast web server', 'two characters never look at descriptions'],
    ['erver', 'express', 'a web server', 'the inside of a word of a description'],
    ['abcdefghijklmnopqX', 'abcdefghijklmnopqrst', null, 'a long term that only begins alike'],
    ['foo_bar', 'foo-bar', null, 'separators differ outside pypi'],
  ])('does not find %j in name %j, description %j: %s', (search, name, description) => {
    expect(finds(search, name, description)).toBe(false);
  });

  it.each(['typing-ext', 'typing.ext', 'TYPING_EXT', 'g_e', 'g.e'])(
    'takes pypi separators for one character: %s',
    (search) => {
      expect(finds(search, 'typing_extensions', null, 'pypi')).toBe(true);
    },
  );

  it('leaves separators in the description of a pypi package as they are', () => {
    expect(finds('foo_bar', 'x', 'the foo_bar tool', 'pypi')).toBe(true);
    expect(finds('foo-bar', 'x', 'the foo_bar tool', 'pypi')).toBe(false);
  });
});

describe('searchTexts', () => {
  it('starts with the word starts of the name, then its other positions, then the description', () => {
    const texts = listSearchTexts({ ecosystem: 'npm', name: 'ab-cde', description: 'Fast one' });

    expect(texts).toEqual(['ab-cde', 'cde', 'b-cde', '-cde', 'fast one', 'one']);
  });

  it('drops a text that another begins with', () => {
    const texts = listSearchTexts({ ecosystem: 'npm', name: 'dash', description: 'dashboard' });

    expect(texts).toEqual(['ash', 'dashboard']);
  });

  it('stays within its limit for the longest names and descriptions', () => {
    const name = Array.from({ length: 85 }, (_, at) => (at % 36).toString(36)).join('x');
    const description = Array.from({ length: 900 }, (_, at) => `w${at}`).join(' ');

    const texts = listSearchTexts({ ecosystem: 'npm', name, description });

    expect(texts).toHaveLength(maxSearchTexts);
  });
});

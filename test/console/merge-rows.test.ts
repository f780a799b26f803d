import { describe, expect, it } from 'vitest';
import { mergeRows } from '../../console/views/packages/merge-rows.ts';

interface Case {
  readonly known: string;
  readonly read: string;
  readonly total?: number;
  readonly outcomes?: string;
  readonly isNewestFirst?: boolean;
}

/** One letter a row; a total makes what is read the beginning of the list. */
const merge = ({ known, read, total, outcomes = '', isNewestFirst = false }: Case): string => {
  const [before, fresh] = [known, read].map((keys) => [...keys].map((key) => ({ key })));
  const merged = mergeRows(before ?? [], fresh ?? [], {
    isNewestFirst,
    ...(total !== undefined && { first: { total } }),
    hasOutcome: (key) => outcomes.includes(key),
  });
  return merged.map(({ key }) => key).join('');
};

describe('rows of a list that is read again', () => {
  it.each<[string, Case, string]>([
    ['keep their places, new ones last', { known: 'abc', read: 'abcd', total: 4 }, 'abcd'],
    ['go where they match no more', { known: 'abcd', read: 'acd', total: 9 }, 'acd'],
    ['stay behind the last one read', { known: 'abcde', read: 'ac', total: 4 }, 'acde'],
    ['go where the list ends before them', { known: 'abcd', read: 'ab', total: 2 }, 'ab'],
    ['go where nothing is left', { known: 'ab', read: '', total: 0 }, ''],
    ['go where all that is read is new', { known: 'ab', read: 'cd', total: 9 }, 'cd'],
    [
      'stay where what became of them is known',
      { known: 'abc', read: 'ac', total: 2, outcomes: 'b' },
      'abc',
    ],
    [
      'come first where the newest do',
      { known: 'cba', read: 'edc', total: 9, isNewestFirst: true },
      'edcba',
    ],
    [
      'stay where newer ones fill the page',
      { known: 'cba', read: 'gfe', total: 9, isNewestFirst: true },
      'gfecba',
    ],
    ['stay where a later page is read', { known: 'abcd', read: 'ef' }, 'abcdef'],
  ])('%s', (_, rows, expected) => {
    expect(merge(rows)).toBe(expected);
  });
});

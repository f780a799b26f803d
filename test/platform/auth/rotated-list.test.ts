import { describe, expect, it } from 'vitest';
import { rotateList } from '../../../shared/platform/auth/rotated-list.ts';

const generated = 'A1'.repeat(21).concat('x');

describe('rotateList', () => {
  it.each<[string, string, number, string]>([
    ['the generated token, which gets a label', generated, 1, `rotated:new,rotated:${generated}`],
    ['its own entries, the newest first', 'rotated:b,rotated:a', 1, 'rotated:new,rotated:b'],
    ['as many as are kept', 'rotated:c,rotated:b,rotated:a', 2, 'rotated:new,rotated:c,rotated:b'],
    [
      'nothing of what ops manage',
      ' ci:x , rotated:a,sha256:zz,,plain',
      1,
      'rotated:new,rotated:a,ci:x,sha256:zz,plain',
    ],
    [
      'the generated token among others',
      `${generated},ci:x`,
      1,
      `rotated:new,rotated:${generated},ci:x`,
    ],
    [
      'what has scopes by what has the same',
      'rotated/submit:b,rotated:a,ci:x',
      1,
      'rotated/submit:new,rotated/submit:b,ci:x',
    ],
    [
      'no scopes by the scopes of one that is older',
      'rotated:b,rotated/submit+review:a',
      2,
      'rotated:new,rotated:b,rotated/submit+review:a',
    ],
    [
      'nothing whose scope is none: a new token would not be let in either',
      'rotated/sumbit:b,ci:x',
      1,
      'rotated/sumbit:b,ci:x',
    ],
    ['nothing when ops took its entry out', 'ci:x,plain', 1, 'ci:x,plain'],
    ['nothing of an empty list, which would switch authentication on', ',', 1, ','],
    [
      'nothing that only looks generated behind another',
      `ci:x,${generated}`,
      1,
      `ci:x,${generated}`,
    ],
  ])('replaces %s', (_, before, kept, after) => {
    expect(rotateList(before, 'new', kept)).toBe(after);
  });
});

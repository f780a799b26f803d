import { describe, expect, it } from 'vitest';
import { parseChallenges } from '../../../../shared/ecosystems/docker/origin/challenge.ts';

const parse = (header: string | null) =>
  parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

describe('a challenge', () => {
  it.each([
    [
      'Bearer realm="https://a.example/token",service="a.example",scope="repository:a/b:pull,push"',
      [
        [
          'bearer',
          {
            realm: 'https://a.example/token',
            service: 'a.example',
            scope: 'repository:a/b:pull,push',
          },
        ],
      ],
    ],
    [
      'bearer Realm=https://a.example , SERVICE=x',
      [['bearer', { realm: 'https://a.example', service: 'x' }]],
    ],
    ['Basic realm="a \\"b\\", c"', [['basic', { realm: 'a "b", c' }]]],
    [
      'Negotiate, Basic realm="x", Bearer realm="y"',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x' }],
        ['bearer', { realm: 'y' }],
      ],
    ],
    ['realm="no scheme"', []],
    ['', []],
    [null, []],
    [`Bearer realm="${'a'.repeat(5_000)}"`, []],
  ])('is read from %s', (header, expected) => {
    expect(parse(header)).toEqual(expected);
  });

  it.each(['"', ',,,,', '=', '\u0000', 'Bearer realm="', 'Bearer ====', `${'a,'.repeat(2_000)}`])(
    'may be nonsense, which takes no time: %j',
    (header) => {
      expect(() => parse(header)).not.toThrow();
    },
  );
});

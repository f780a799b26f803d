import { parseArgs } from 'node:util';

export const parts = ['histories', 'kills', 'hostile', 'sockets', 'attacks'] as const;
export type Part = (typeof parts)[number];

/** Bugs that the rig can plant. */
export const plantNames = [
  ...([
    'lost-counter',
    'duplicate-sequence-number',
    'early-acknowledgement',
    'stale-read',
  ] as const),
] as const;
export type Plant = (typeof plantNames)[number];

export const help = `Shows that what is promised holds while everything around goes wrong. Usage: npm run proof -- [options]

  --minutes N    how long all of it takes, about (5 if not given)
  --seed S       a whole number: the same seed has clients do the same, and the same go wrong
  --only PART    one part: ${parts.join(', ')}
  --count N      so many of it, however long that takes: histories, or requests
                 (attacks are always replayed in full, in about two minutes more)
  --plant BUG    shows that a bug would be seen: ${plantNames.join(', ')}
                 (histories alone; the rig has the bug, never the registry)
  --help         show this

Exits with 0 if all held, 1 if something did not, with what it was and how to run it again, 2 for wrong options.
`;

export interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly only?: Part;
  readonly count?: number;
  readonly plant?: Plant;
  readonly help: boolean;
}

const readNumber = (name: string, text: string, rule: RegExp): number => {
  if (rule.test(text)) return Number(text);
  throw new TypeError(`--${name} must be a number, not ${text}`);
};

const choose = <T extends string>(name: string, text: string, all: readonly T[]): T => {
  const found = all.find((one) => one === text);
  if (found !== undefined) return found;
  throw new TypeError(`--${name} must be one of ${all.join(', ')}, not ${text}`);
};

const whole = /^\d{1,9}$/;

/** @throws {TypeError} for invalid options, with a message for the user */
export const parseOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      only: { type: 'string' },
      count: { type: 'string' },
      plant: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { minutes, seed, only, count, plant } = values;
  if (count !== undefined && (only ?? plant) === undefined)
    throw new TypeError('--count needs --only PART');
  return {
    minutes: readNumber('minutes', minutes, /^\d{1,4}(\.\d{1,3})?$/),
    seed: readNumber('seed', seed, whole),
    ...(only !== undefined && { only: choose('only', only, parts) }),
    ...(count !== undefined && { count: readNumber('count', count, whole) }),
    ...(plant !== undefined && {
      only: 'histories' as const,
      plant: choose('plant', plant, plantNames),
    }),
    help: values.help,
  };
};

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';
import { formatReport, startTally } from './report.ts';

describe('npm run proof', () => {
  it('parses a seed, and draws a random one without --seed', () => {
    expect(parseOptions(['--seed', '7', '--minutes', '0.5'])).toMatchObject({
      seed: 7,
      minutes: 0.5,
    });
    expect(parseOptions([]).seed).toBeGreaterThanOrEqual(0);
  });

  it.each([
    [['--seed', 'x'], /--seed must be a number, not x/],
    [
      ['--only', 'all'],
      /--only must be one of histories, kills, hostile, sockets, attacks, not all/,
    ],
    [['--plant', 'none'], /--plant must be one of lost-counter/],
    [['--count', '5'], /--count needs --only/],
    [['--fast'], /--fast/],
  ])('refuses %s', (args, words) => {
    expect(() => parseOptions(args)).toThrow(words);
  });

  it('reports each violation with the command that repeats it', () => {
    const report = formatReport(
      [
        {
          part: 'histories',
          tally: { ...startTally(), histories: 3, befallen: new Map([['conflict', 4]]) },
          seconds: 2,
          violations: [{ what: 'a total', again: '--only histories --seed 9 --count 1' }],
        },
      ],
      7,
    );

    expect(report).toContain('Did not hold: a total');
    expect(report).toContain('npm run proof -- --only histories --seed 9 --count 1');
    expect(report).not.toContain('All held');
  });

  it('exits with 2 for an invalid option', async () => {
    const child = spawn(process.execPath, ['test/proof/main.ts', '--minutes', 'long']);

    const [said, code] = await Promise.all([
      text(child.stderr),
      new Promise((resolve) => child.once('exit', resolve)),
    ]);

    expect([said, code]).toEqual(['--minutes must be a number, not long\n', 2]);
  });
});

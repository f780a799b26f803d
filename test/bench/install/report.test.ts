import { describe, expect, it } from 'vitest';
import { formatClient, summarize } from './report.ts';
import { type Install, runRounds } from './rounds.ts';

const install = (ms: number, counts: Partial<Install> = {}): Install => ({
  ms,
  installed: 3,
  gateRequests: 0,
  originRequests: 6,
  readUnits: 0,
  ...counts,
});

const candidates = ['direct', 'gate', 'Verdaccio'].map((name) => ({ name, address: `${name}/` }));

describe('rounds', () => {
  it('install from each candidate in turn, and do not count the first round', async () => {
    const order: string[] = [];
    let ms = 0;

    const rounds = await runRounds({
      candidates,
      install: async ({ name }) => {
        order.push(name);
        ms += 1;
        return install(ms);
      },
      goOn: (done) => done < 2,
    });

    expect(order.slice(0, 3)).toEqual(['direct', 'gate', 'Verdaccio']);
    expect(order.slice(3, 6)).toEqual(['gate', 'Verdaccio', 'direct']);
    expect(order.slice(6)).toEqual(['Verdaccio', 'direct', 'gate']);
    expect(
      rounds.map((round) => Object.entries(round).map(([name, one]) => [name, one.ms])),
    ).toEqual([
      [
        ['direct', 6],
        ['gate', 4],
        ['Verdaccio', 5],
      ],
      [
        ['direct', 8],
        ['gate', 9],
        ['Verdaccio', 7],
      ],
    ]);
  });

  it('end if a candidate installs another number of packages', async () => {
    const rounds = runRounds({
      candidates,
      install: async ({ name }) => install(1, { installed: name === 'gate' ? 2 : 3 }),
      goOn: () => false,
    });

    await expect(rounds).rejects.toThrow('direct installs 3 packages, and gate 2');
  });
});

describe('the report', () => {
  // The machine is slower in the second round. The ratio stays.
  const rounds = [
    {
      direct: install(1000),
      gate: install(1100, { gateRequests: 6, originRequests: 3, readUnits: 4.5 }),
    },
    {
      direct: install(4000),
      gate: install(4400, { gateRequests: 6, originRequests: 3, readUnits: 4.5 }),
    },
    {
      direct: install(2000),
      gate: install(2400, { gateRequests: 7, originRequests: 3, readUnits: 9 }),
    },
  ];

  it('has medians, and ratios within a round', () => {
    const { direct, gate } = summarize(rounds);

    expect(direct?.time).toMatchObject({ rounds: 3, microseconds: 2_000_000, ratio: 1 });
    expect(gate?.time.microseconds).toBe(2_400_000);
    expect(gate?.time.ratio).toBeCloseTo(1.1);
    expect(gate?.time.to).toBeCloseTo(1.2);
    expect(gate).toMatchObject({
      installed: 3,
      gateRequests: 6,
      originRequests: 3,
      readUnits: 4.5,
    });
  });

  it('is a table of clients and candidates', () => {
    expect(formatClient('npm', summarize(rounds)).split('\n')).toEqual([
      'npm                            time  to direct        10%        90%  installed    to gate  to origin read units',
      '  direct                      2.0 s       1.00       1.00       1.00          3          -          6          -',
      '  gate                        2.4 s       1.10       1.10       1.20          3          6          3          5',
    ]);
  });
});

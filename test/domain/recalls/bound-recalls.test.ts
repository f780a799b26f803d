import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRecalls, type RecallCandidate } from '../../../shared/domain/recalls/bound-recalls.ts';
import type { RecordMatch } from '../../../shared/domain/recalls/match-record.ts';
import { dayMs } from '../../../shared/util/duration.ts';
import { record, records } from './records.ts';

const now = new Date('2026-04-01T00:00:00Z');
const recordAddedAt = '2026-03-31T03:22:12.627Z';

const daysBefore = (days: number): string =>
  new Date(Date.parse(recordAddedAt) - days * dayMs).toISOString();

interface Given {
  readonly name?: string;
  readonly match?: RecordMatch;
  /** Days from the publication to the record; null for an unknown time. */
  readonly days?: number | null;
  readonly version?: string;
}

const candidate = ({ name = 'a', match = 'exact', days = 100, version = '1.0.0' }: Given) =>
  ({
    id: { ecosystem: 'npm', name, version },
    match,
    published_at: days === null ? null : daysBefore(days),
    record: record(`MAL-${name}`, ['npm', name], {}),
    recordAddedAt,
  }) satisfies RecallCandidate;

/** Returns candidates of one package, with different versions. */
const many = (count: number, given: Given): RecallCandidate[] =>
  Array.from({ length: count }, (_, at) => candidate({ version: `1.0.${at}`, ...given }));

/** Returns candidates of different packages. */
const spread = (count: number, given: Given): RecallCandidate[] =>
  Array.from({ length: count }, (_, at) => candidate({ name: `p${at}`, ...given }));

const plan = (candidates: readonly RecallCandidate[], recalledToday = 0) => {
  const { recall, attention } = planRecalls(candidates, { recalledToday }, now);
  return {
    recall: recall.length,
    attention: attention.map((entry) =>
      entry.reason === 'too_many' ? `${entry.reason} ${entry.bound}` : entry.reason,
    ),
  };
};

const repeat = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

describe('one version', () => {
  it.each([
    ['exact', 0, true],
    ['exact', 400, true],
    ['exact', null, true],
    ['range', 0, true],
    ['range', 400, true],
    ['range', null, true],
    ['bare', 0, true],
    ['bare', -3, true],
    ['bare', 14, true],
    ['bare', 14.001, false],
    ['bare', null, false],
    ['leftover', 1, false],
    ['leftover', 20, false],
  ] as const)('that matches %s, published %s days before: %s', (match, days, isRecalled) => {
    expect(plan([candidate({ match, days })])).toEqual(
      isRecalled ? { recall: 1, attention: [] } : { recall: 0, attention: ['bare_range'] },
    );
  });

  it('is recalled once for a pair of version and record', () => {
    const twice = [candidate({ version: '1.0.0' }), candidate({ version: '1.0.0+build' })];

    expect(plan(twice)).toEqual({ recall: 1, attention: [] });
  });

  it('is in no list if the record is withdrawn', () => {
    const withdrawn = { ...candidate({}), record: records.react };

    expect(plan([withdrawn])).toEqual({ recall: 0, attention: [] });
  });

  it.each([
    ['a record from the future', { recordAddedAt: '2027-01-01T00:00:00Z' }, 1],
    ['a record at no valid time', { recordAddedAt: 'soon' }, 0],
    ['a publication at no valid time', { published_at: 'once' }, 0],
  ])('of %s', (_, fields, recalled) => {
    const young = { ...candidate({ match: 'bare', days: 1 }), ...fields };

    expect(plan([young]).recall).toBe(recalled);
  });
});

describe('old versions', () => {
  it.each(['exact', 'range'] as const)('of one package are at most 20 (%s)', (match) => {
    expect(plan(many(20, { match })).recall).toBe(20);
    expect(plan(many(21, { match }))).toEqual({
      recall: 0,
      attention: repeat(21, 'too_many package'),
    });
  });

  it('of one run are at most 50', () => {
    expect(plan(spread(50, {})).recall).toBe(50);
    expect(plan(spread(51, {}))).toEqual({ recall: 0, attention: repeat(51, 'too_many run') });
  });

  it('of 10,000 clean packages that a tampered feed names are not recalled', () => {
    expect(plan(spread(10_000, {})).recall).toBe(0);
  });

  it('of one day are at most 200', () => {
    expect(plan(spread(40, {}), 160).recall).toBe(40);
    expect(plan(spread(40, {}), 161)).toEqual({ recall: 0, attention: repeat(40, 'too_many day') });
  });

  it('of a package above its bound do not stop the recall of others', () => {
    expect(plan([...many(300, {}), candidate({ name: 'b' })])).toEqual({
      recall: 1,
      attention: repeat(300, 'too_many package'),
    });
  });

  it('that two records name count once', () => {
    const other = record('MAL-other', ['npm', 'a'], {});
    const named = many(20, {}).flatMap((one) => [one, { ...one, record: other }]);

    expect(plan(named)).toEqual({ recall: 40, attention: [] });
  });
});

describe('young versions', () => {
  it('are recalled beside any number of old ones, as a worm publishes hundreds', () => {
    const worm = spread(700, { days: 0.1, version: '9.9.9' });

    expect(plan([...worm, ...spread(51, {})], 199)).toEqual({
      recall: 700,
      attention: repeat(51, 'too_many run'),
    });
  });
});

it('puts each candidate into one list, and no old version above the bounds into recall', () => {
  const given = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    match: fc.constantFrom<RecordMatch>('exact', 'range', 'bare', 'leftover'),
    days: fc.option(fc.integer({ min: -5, max: 30 })),
    version: fc.nat({ max: 60 }).map((patch) => `1.0.${patch}`),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(given, { maxLength: 120, selector: ({ name, version }) => name + version }),
      fc.nat({ max: 220 }),
      (some, recalledToday) => {
        const candidates = some.map(candidate);

        const { recall, attention } = planRecalls(candidates, { recalledToday }, now);

        const listed = [...recall, ...attention].map(({ id }) => `${id.name} ${id.version}`);
        expect(listed.toSorted()).toEqual(
          candidates.map(({ id }) => `${id.name} ${id.version}`).toSorted(),
        );
        const old = recall.filter(({ isOld }) => isOld);
        expect(old.length).toBeLessThanOrEqual(Math.min(50, Math.max(0, 200 - recalledToday)));
        expect(old.filter(({ match }) => match === 'bare')).toEqual([]);
        expect(
          attention.every(
            ({ match, published_at }) =>
              match === 'leftover' || published_at === null || published_at < daysBefore(14),
          ),
        ).toBe(true);
        expect(recall.every(({ match }) => match !== 'leftover')).toBe(true);
      },
    ),
    { numRuns: 500, seed: 1 },
  );
});

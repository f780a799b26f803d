import { describe, expect, it } from 'vitest';
import type { ScanSource } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { noCounts } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { findReviewRows, makeReviewRows } from '../../../shared/storage/reviews/review-rows.ts';
import { type RowSource, readRowSource } from '../../../shared/storage/reviews/row-source.ts';

const key = 'npm#left-pad#1.3.0';
const at = '2026-11-01T00:00:00.000Z';
const pending: RowSource = {
  ...{ status: 'pending', submitted_at: at, submitted_by: null, submitter: null },
  ...{ batches: [], revision: 0 },
};
const malware = [{ id: 'x', finished: { malware: ['MAL-2026-1'] } }] as unknown as ScanSource[];
const until = '2027-01-01T00:00:00.000Z';

const listKeys = (change: Partial<RowSource>): string[] =>
  makeReviewRows(key, { ...pending, ...change }).rows.map(({ v, k }) => `${v} ${k}`);

describe('the rows of a version', () => {
  it.each<[string, Partial<RowSource>, string[]]>([
    ['a clean version', {}, []],
    [
      'the worst vulnerability',
      { counts: { ...noCounts, low: 3, high: 1 } },
      [`#severe 1${at}#${key}`],
    ],
    ['an unrated one', { counts: { ...noCounts, unrated: 1 } }, [`#severe 4${at}#${key}`]],
    ['malware', { sources: malware }, [`#severe 0${at}#${key}`]],
    ['accepted malware', { sources: malware, accepted_recalls: ['MAL-2026-1'] }, []],
    [
      'an accepted vulnerability, which is open again some day',
      { accepted: [{ until, counts: { ...noCounts, medium: 1 }, digest: 'x' }] },
      [`#severe 2${at}#${key}`],
    ],
    ['one batch', { batches: ['a'] }, [`#batch#a ${at}#${key}`]],
    [
      'two batches',
      { batches: ['a', 'b'] },
      [`#wanted 18${at}#${key}`, `#batch#a ${at}#${key}`, `#batch#b ${at}#${key}`],
    ],
    ['a label', { submitter: 'ci' }, [`#label#ci ${at}#${key}`]],
    ['a license', { license: 'MIT' }, [`#license#mit #${key}`]],
  ])('show %s', (_, change, rows) => {
    expect(listKeys(change)).toEqual([`#pending ${at}#${key}`, ...rows]);
  });

  it('are only those of labels, batches and licenses after a decision', () => {
    const decided: Partial<RowSource> = {
      ...{ status: 'approved', revision: 1, submitter: 'ci', license: 'MIT', batches: ['a', 'b'] },
      counts: { ...noCounts, critical: 1 },
    };

    const lists = makeReviewRows(key, { ...pending, ...decided }).rows.map(({ v }) => v);
    expect(lists).toEqual(['#batch#a', '#batch#b', '#label#ci', '#license#mit']);
  });

  it('have the issues of upstream metadata in the list of pending versions alone', () => {
    const facts = {
      ...{ found: 'yes', deprecated: 'old', yanked: null, install_scripts: true },
      published_at: '2020-01-01T00:00:00.000Z',
    } as unknown as RowSource['facts'];

    const { rows } = makeReviewRows(key, { ...pending, facts: facts ?? null, batches: ['a'] });
    expect(rows.map(({ v, signals }) => [v, signals])).toEqual([
      ['#pending', ['deprecated', 'install_scripts']],
      ['#batch#a', undefined],
    ]);
  });

  it('are unknown for a damaged review state', () => {
    const damaged = { ...pending, counts: null } as unknown as RowSource;

    expect(findReviewRows(key, damaged)).toBeUndefined();
    expect(readRowSource({ status: { S: 'pending' } })).toBeUndefined();
    expect(readRowSource({ status: 'pending' })).toBeUndefined();
    expect(readRowSource(undefined)).toBeUndefined();
  });
});

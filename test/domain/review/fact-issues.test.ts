import { describe, expect, it } from 'vitest';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import { summarizeFacts } from '../../../shared/domain/facts/summary.ts';
import { listFactIssues } from '../../../shared/domain/review/fact-issues.ts';

const now = new Date('2026-11-22T12:00:00Z');

const summarize = (facts: Partial<Facts>) =>
  summarizeFacts({ ...noFacts, found: 'yes', name_found: true, reason: null, ...facts }, 'd', now);

const listIssues = (facts: Partial<Facts>, days = 0) =>
  listFactIssues(summarize(facts), { minimumAgeDays: days, now });

describe('what an origin says against approving a version', () => {
  it('is nothing before it was asked, and nothing where all is well', () => {
    expect(listFactIssues(null, { minimumAgeDays: 9, now })).toEqual([]);
    expect(
      listIssues({ published_at: '2020-01-01T00:00:00.000Z', license: 'MIT', install_scripts: [] }),
    ).toEqual([]);
    expect(listIssues({ found: 'unknown', name_found: null })).toEqual([]);
  });

  it('tells a name that nobody has published from a version that is missing', () => {
    const [unknownName] = listIssues({ found: 'no', name_found: false });
    const [missing] = listIssues({ found: 'no', name_found: true });

    expect(unknownName).toMatchObject({ code: 'not_found_at_origin' });
    expect(unknownName?.message).toContain('dependency confusion');
    expect(missing).toMatchObject({ code: 'not_found_at_origin' });
    expect(missing?.message).toContain('but not this version');
  });

  it('is that its publisher took it back or advises against it, with the reason if there is one', () => {
    expect(listIssues({ deprecated: 'use b', yanked: '' })).toEqual([
      { code: 'deprecated', message: 'Its publisher deprecated it: use b' },
      { code: 'yanked', message: 'Its publisher yanked it.' },
    ]);
  });

  it('is that it is younger than it is to be, up to the very day', () => {
    const published_at = '2026-11-15T12:00:00.001Z';

    expect(listIssues({ published_at }, 7)).toEqual([
      {
        code: 'too_young',
        message:
          'It was published 2026-11-15T12:00:00.001Z, less than the required 7 days ago: it is too young until 2026-11-22.',
      },
    ]);
    expect(listIssues({ published_at: '2026-11-15T12:00:00.000Z' }, 7)).toEqual([]);
    expect(listIssues({ published_at: null }, 7)).toEqual([]);
    expect(listIssues({ published_at }, Number.MAX_SAFE_INTEGER)).toMatchObject([
      { code: 'too_young' },
    ]);
  });

  it('is that something runs where it is installed', () => {
    expect(listIssues({ install_scripts: ['postinstall'] })).toMatchObject([
      { code: 'install_scripts' },
    ]);
    expect(listIssues({ install_scripts: null })).toEqual([]);
  });

  it('is kept short, however long a publisher writes', () => {
    const { deprecated } = summarize({ deprecated: 'x'.repeat(1000) });

    expect(deprecated).toBe(`${'x'.repeat(199)}…`);
  });
});

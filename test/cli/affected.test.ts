import { describe, expect, it } from 'vitest';
import { vulnerabilityListView } from '../../cli/commands/vulnerability-list.ts';
import { vulnerabilityView } from '../../cli/commands/vulnerability-show.ts';
import { joinPages, readPages } from '../../cli/many/paging.ts';
import { writeResult } from '../../cli/output/result.ts';
import type { Output } from '../../cli/output/terminal.ts';
import { vulnerability, vulnerabilityDetail } from '../../shared/api/openapi/examples/scans.ts';

const startTerminal = () => {
  const written: string[] = [];
  const notes: string[] = [];
  const outputOf = (texts: string[]): Output => ({
    isTerminal: false,
    width: 80,
    write: (text) => void texts.push(text),
    style: (_, text) => text,
  });
  const [out, err] = [outputOf(written), outputOf(notes)];
  return { terminal: { out, err, warn: err.write }, text: () => written.join(''), notes };
};

const [affected] = vulnerabilityDetail.packages;

describe('vulnerability show', () => {
  const show = (answer: object) => {
    const { terminal, text, notes } = startTerminal();
    writeResult(answer, terminal, { format: 'people', ...vulnerabilityView });
    return { lines: text().split('\n'), notes };
  };

  it('shows the vulnerability and its affected versions', () => {
    const { lines, notes } = show({
      ...vulnerabilityDetail,
      acceptances: [],
      next: 'npm#lodash#4.17.20',
    });

    expect(lines).toEqual([
      'ID               CVE-2021-23337',
      'Aliases          GHSA-35jh-r3h4-6jhm',
      'Severity         high',
      'CVSS score       7.2',
      'Known exploited  no',
      'Summary          Command Injection in lodash',
      'Versions         approved 1, pending 0, rejected 0',
      'Acceptances      none',
      'Total            1',
      '',
      'PACKAGE             STATUS    SEVERITY  FIXED VERSIONS',
      'npm:lodash@4.17.20  approved  high      4.17.21',
      '',
    ]);
    expect(notes.join()).toBe(
      "There are more. --all shows all, --after 'npm#lodash#4.17.20' the next page.\n",
    );
  });

  it.each([
    [{ not_affecting: { by: 'x', reason: 'y' } }, 'not affecting'],
    [{ accepted_until: '2027-01-31T12:00:00.000Z' }, 'accepted until 2027-01-31'],
  ])('shows instead of the severity: %j', (changes, text) => {
    const { lines } = show({ ...vulnerabilityDetail, packages: [{ ...affected, ...changes }] });

    expect(lines.join('\n')).toContain(text);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('merges all pages into one answer', async () => {
    const pages = [
      { ...vulnerabilityDetail, total: 2, next: 'npm#lodash#4.17.20' },
      { ...vulnerabilityDetail, total: 2, packages: [{ ...affected, version: '4.17.21' }] },
    ];
    const asked: unknown[] = [];
    const readPage = async ({ query }: { query?: Readonly<Record<string, unknown>> }) => {
      asked.push(query?.['after']);
      return pages[asked.length - 1];
    };

    const all = readPages({ readPage, nextParameter: 'after' }, {}, startTerminal().terminal);

    expect(await joinPages(all)).toEqual({
      ...vulnerabilityDetail,
      packages: [affected, { ...affected, version: '4.17.21' }],
      total: 2,
    });
    expect(asked).toEqual([undefined, 'npm#lodash#4.17.20']);
  });
});

describe('vulnerability list', () => {
  it('fits 80 columns', () => {
    const { terminal, text } = startTerminal();
    const summary =
      'A long summary of what may happen to a user who does not upgrade, and when, and why';
    const answer = { vulnerabilities: [{ ...vulnerability, summary }], next: null };

    writeResult(answer, terminal, { format: 'people', ...vulnerabilityListView });

    const lines = text().split('\n');
    expect(lines[0]).toMatch(/^ID +SEVERITY +CVSS/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});

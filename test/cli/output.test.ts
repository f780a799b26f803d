import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatReasons } from '../../cli/failure/request-failure.ts';
import { formatDetails } from '../../cli/output/details.ts';
import { createProgress } from '../../cli/output/progress.ts';
import { formatTable } from '../../cli/output/table.ts';
import { eraseLine, type Output } from '../../cli/output/terminal.ts';
import { measureWidth, toPrintable, wrap } from '../../cli/output/text.ts';
import { formatEvidence } from '../../cli/presentation/version-evidence.ts';
import { RequestError } from '../../shared/api/client/client.ts';
import { evidence } from '../../shared/api/openapi/examples/review.ts';

/** A terminal of that many columns; what is coloured stands in angle brackets. */
const terminalOf = (width: number): Output => ({
  isTerminal: true,
  width,
  write: () => {},
  style: (format, text) => (format === 'dim' || format === 'bold' ? text : `<${text}>`),
});

const hostile = 'a\u001b[2J\nb';

describe('text for people', () => {
  it('keeps the lines and the blanks of other systems', () => {
    expect(toPrintable('one\r\ntwo\rthree\tfour')).toBe('one\ntwo\nthree four');
  });

  it('is not looked through for breaks where lines have no end', () => {
    const word = 'x'.repeat(1_000_000);

    expect(wrap(word, Number.POSITIVE_INFINITY)).toEqual([word]);
  });

  it.each<[string, () => string[]]>([
    ['fields', () => formatDetails({ [hostile]: 1 }, terminalOf(80))],
    ['nested fields', () => formatDetails({ x: { [hostile]: 1 } }, terminalOf(80))],
    ['columns', () => formatTable([{ [hostile]: 1 }], terminalOf(80)).slice(0, 1)],
    [
      'reasons',
      () => {
        const parts = { type: 'x', title: 'x', status: 409, detail: 'x', request_id: 'x' };
        const problem = { ...parts, code: 'x', reasons: [{ code: 'x', message: hostile }] };
        return formatReasons(new RequestError({ code: 'x', detail: 'x', problem }));
      },
    ],
  ])('has no control characters and no lines of their own in %s', (_, lines) => {
    expect(lines()).toEqual([expect.not.stringMatching(/\p{Cc}/u)]);
  });
});

describe('details', () => {
  const thing = {
    submitted_by: 'somebody-with-a-long-address@example.com',
    severity: { critical: 0, high: 1 },
    status: 'pending',
  };

  it.each([80, 34, 20, 12])('fit a terminal of %i columns', (columns) => {
    const lines = formatDetails(thing, { ...terminalOf(columns), style: (_, text) => text });

    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(columns);
  });

  it('colour a value where it stands alone, and no part of a longer one', () => {
    const lines = formatDetails(thing, terminalOf(20));

    expect(lines).toContain('Status: <pending>');
    expect(lines.join()).not.toContain('<critical');
  });

  it('take a value for what it is that is called like a part of the language', () => {
    expect(formatDetails({ name: 'constructor' }, terminalOf(80))).toEqual(['Name  constructor']);
  });

  it.each([
    ['MIT', ['License  MIT']],
    ['Apache-2.0', ['License             MIT', 'License normalized  Apache-2.0']],
  ])('say that it reads as %s only where that is something else', (license_normalized, lines) => {
    expect(formatDetails({ license: 'MIT', license_normalized }, terminalOf(80))).toEqual(lines);
  });
});

it('lists what blocks an approval first, and else in the order of the answer', () => {
  const issues = [
    { code: 'deprecated', message: 'One', blocks: false },
    { code: 'scan_failed', message: 'Two', blocks: true },
    { code: 'dependency_unmet', message: 'Three', blocks: false },
    { code: 'license_rejected', message: 'Four', blocks: true },
  ] as const;

  const lines = formatEvidence({ ...evidence, issues: [...issues] }, terminalOf(80));

  const shown = lines.slice(lines.indexOf('Issues') + 1);
  expect(shown.slice(0, shown.indexOf(''))).toEqual([
    '<blocks>  Two',
    '<blocks>  Four',
    '<warns >  One',
    '<warns >  Three',
  ]);
});

describe('provenance', () => {
  const origin = {
    ...{ source_repository: 'https://github.com/acme/tool', commit: 'c0ffee' },
    ...{ workflow: 'https://github.com/acme/tool/release.yml@main', builder: null, issuer: null },
  };
  const none = {
    ...{ source_repository: null, commit: null, workflow: null, builder: null, issuer: null },
  };

  it.each([
    [
      'verified, built from https://github.com/acme/tool; commit c0ffee; workflow https://github.com/acme/tool/release.yml@main; registry signature verified',
      { status: 'verified', ...origin, reason: null, signatures: 'verified' },
    ],
    [
      'invalid; it is about another file.',
      { status: 'invalid', ...none, reason: 'it is about another file.', signatures: null },
    ],
    [
      'no attestation; registry signature invalid',
      { status: 'none', ...none, reason: null, signatures: 'invalid' },
    ],
  ] as const)('is shown on one line: %s', (line, provenance) => {
    const facts = evidence.facts && { ...evidence.facts, provenance };

    const lines = formatEvidence({ ...evidence, facts }, terminalOf(400));

    expect(lines.find((one) => one.startsWith('Provenance'))?.replace(/^\S+\s+/, '')).toBe(line);
  });
});

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = (isTerminal: boolean) => {
    const written: string[] = [];
    const write = (text: string): void => void written.push(text);
    return { written, progress: createProgress({ ...terminalOf(80), isTerminal, write }) };
  };

  it('shows in a terminal each second how long it has taken, and at once what changed', () => {
    const { written, progress } = start(true);

    progress.show('0 of 200 sent');
    vi.advanceTimersByTime(999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(2001);
    progress.show('100 of 200 sent');
    vi.advanceTimersByTime(1000);
    progress.end();
    vi.advanceTimersByTime(5000);

    const lines = ['0 of 200 sent, 1 s', '0 of 200 sent, 2 s', '0 of 200 sent, 3 s'];
    const later = ['100 of 200 sent, 3 s', '100 of 200 sent, 4 s', ''];
    expect(written).toEqual([...lines, ...later].map((line) => `${eraseLine}${line}`));
  });

  it('shows nothing of what takes less than a second', () => {
    const { written, progress } = start(true);

    progress.show('0 of 1 sent');
    vi.advanceTimersByTime(900);
    progress.end();

    expect(written).toEqual([]);
  });

  it('has a line each five seconds elsewhere, and begins anew with each task', () => {
    const { written, progress } = start(false);

    progress.show('0 of 200 sent');
    vi.advanceTimersByTime(4999);
    expect(written).toEqual([]);
    progress.show('100 of 200 sent');
    vi.advanceTimersByTime(6000);
    progress.end();
    progress.show('0 of 5 checked');
    vi.advanceTimersByTime(5000);
    progress.end();

    expect(written).toEqual([
      '100 of 200 sent, 5 s\n',
      '100 of 200 sent, 10 s\n',
      '0 of 5 checked, 5 s\n',
    ]);
  });
});

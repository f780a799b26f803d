import { describe, expect, it } from 'vitest';
import {
  findMalware,
  matchesScan,
  matchesWorst,
  type ScannedSubject,
} from '../../../shared/domain/policy/match-scans.ts';
import type { RuleAction, RuleConditions } from '../../../shared/domain/policy/rule.ts';
import {
  findScanSourceId,
  type ScanSource,
} from '../../../shared/domain/vulnerabilities/scan-source.ts';
import {
  noCounts,
  type ScanSummaryStatus,
} from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { mergedScan, ownSource } from './example.ts';

const by = (label: string | null, some: Partial<ScanSource> = {}): ScanSource => ({
  ...ownSource,
  id: findScanSourceId({ tools: ['trivy'], actor: { label, fingerprint: 'f' } }),
  tools: ['trivy'],
  label,
  ...some,
});

const partial = {
  ...{ number: 1, scan_date: '', severity: noCounts, digest: '', partial: 'It skipped' },
  malware: [],
};

const matchesScans = (
  { when, then }: { readonly when: RuleConditions; readonly then: RuleAction },
  scanned: ScannedSubject,
): boolean =>
  when.worst === undefined
    ? matchesScan(when.scan ?? [], { when, then }, scanned)
    : matchesWorst(when.worst, when, scanned);

const counts = { passed: {}, warning: { low: 1 }, failed: { high: 1 }, error: {}, missing: {} };

const subject = (status: ScanSummaryStatus, ...sources: readonly ScanSource[]): ScannedSubject => ({
  merged_scan: { ...mergedScan, status, severity: { ...noCounts, ...counts[status] } },
  sources,
  submitter: 'ci',
});

const passed: RuleConditions = { scan: ['passed'], scanned_by: ['security', 'ci'] };

describe('a rule that approves what passed', () => {
  it.each<[string, boolean, ScannedSubject]>([
    ["matches by the registry's own scan", true, subject('passed', ownSource)],
    ['matches by a label that it trusts', true, subject('passed', by('security'))],
    ['does not by a label that it does not name', false, subject('passed', by('other'))],
    ["does not by the submitter's own, though it names that", false, subject('passed', by('ci'))],
    ['does not by a token without a label', false, subject('passed', by(null))],
    ['does not by a forced one', false, subject('passed', by('security', { forced: true }))],
    [
      'does not by one that never finished',
      false,
      subject('passed', by('ci'), by('security', { finished: null, reason: 'no' })),
    ],
    [
      'does not by one that left something out',
      false,
      subject('passed', by('security', { finished: partial })),
    ],
    ['does not where anybody found more', false, subject('failed', ownSource, by('ci'))],
    ['does not without scans', false, subject('missing')],
  ])('%s', (_, expected, scanned) => {
    expect(matchesScans({ when: passed, then: 'approve' }, scanned)).toBe(expected);
    expect(
      matchesScans(
        { when: { worst: 'none', scanned_by: ['security', 'ci'] }, then: 'approve' },
        scanned,
      ),
    ).toBe(expected);
  });
});

describe('what only scans found that a rule does not trust', () => {
  it.each<[ScanSummaryStatus, RuleConditions, boolean, boolean]>([
    ['failed', { scan: ['failed'] }, false, true],
    ['failed', { scan: ['missing'] }, false, true],
    ['failed', { scan: ['missing', 'failed'] }, true, true],
    ['warning', { scan: ['warning', 'passed'] }, false, true],
    ['warning', { scan: ['missing'] }, false, true],
    ['warning', { worst: 'critical' }, false, false],
    ['passed', { scan: ['passed'] }, false, false],
    ['passed', { scan: ['missing'] }, true, true],
    ['passed', { worst: 'critical' }, false, false],
  ])('(%s), under %j', (status, when, approves, holds) => {
    const scanned = subject(status, by('ci'));

    expect(matchesScans({ when, then: 'approve' }, scanned)).toBe(approves);
    expect(matchesScans({ when, then: 'hold' }, scanned)).toBe(holds);
    expect(matchesScans({ when, then: 'reject' }, scanned)).toBe(holds);
  });
});

describe('malware', () => {
  const reporting = (source: ScanSource): ScanSource => ({
    ...source,
    finished: source.finished && { ...source.finished, malware: ['MAL-2026-2307'] },
  });
  const when = { scanned_by: ['security'] };

  it.each<[string, boolean | undefined, ScannedSubject]>([
    ["is known from the registry's own scan", true, subject('failed', reporting(ownSource))],
    ['is known from a trusted label', true, subject('failed', reporting(by('security')))],
    [
      'is known from a partial scan, too',
      true,
      subject('failed', reporting({ ...ownSource, finished: partial })),
    ],
    ['is absent if a trusted scan reports none', false, subject('passed', ownSource)],
    [
      'is unknown if only an untrusted scan reports it',
      undefined,
      subject('failed', ownSource, reporting(by('other'))),
    ],
    [
      'is unknown if only a forced upload reports it',
      undefined,
      subject('failed', reporting(by('security', { forced: true }))),
    ],
    [
      'is absent if a person accepted the record',
      false,
      {
        ...subject('failed', reporting(ownSource), reporting(by('security'))),
        accepted_recalls: ['MAL-2026-2307'],
      },
    ],
    [
      'is known if a person accepted another record',
      true,
      { ...subject('failed', reporting(ownSource)), accepted_recalls: ['MAL-2026-1'] },
    ],
    ['is unknown without a trusted scan', undefined, subject('passed', by('other'))],
    ['is unknown without scans', undefined, subject('missing')],
  ])('%s', (_, expected, scanned) => {
    expect(findMalware(scanned, when)).toBe(expected);
  });
});

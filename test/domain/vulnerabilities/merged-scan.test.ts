import { expect, it } from 'vitest';
import { maxAnswerBytes, measureAnswer } from '../../../shared/domain/answer-size.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toMergedScan } from '../../../shared/domain/vulnerabilities/merged-scan.ts';
import type { ScanSource } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { Vulnerability } from '../../../shared/domain/vulnerabilities/vulnerability.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const viewpoint = { now: new Date('2026-11-22T12:00:00Z'), policy: defaultScanPolicy };
const nothing = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
const scan_date = '2026-11-22T11:00:00.000Z';

const source = (tool: string): ScanSource => ({
  ...{ id: tool, tools: [tool], label: 'ci', sender: 'ci', number: 1, scan_date, reason: null },
  ...{ failures: 0, confirmed_at: null, forced: false, may_review: false },
  finished: { number: 1, scan_date, severity: nothing, digest: '', partial: null, malware: [] },
});

const mergeScans = (findings: Readonly<Record<string, readonly Vulnerability[]>>) =>
  toMergedScan(
    id,
    {
      sources: Object.keys(findings).map(source),
      findings: new Map(Object.entries(findings)),
      acceptances: [],
    },
    viewpoint,
  );

const many = (count: number, prefix: string, severity: 'critical' | 'low', summary = '') =>
  Array.from({ length: count }, (_, at) =>
    toFinding({ id: `${prefix}-${String(at).padStart(5, '0')}`, severity, summary }),
  );

it('leaves out prose before it leaves out anything else', () => {
  const mergedScan = mergeScans({ trivy: many(7000, 'CVE', 'low', 'x'.repeat(900)) });

  expect(mergedScan).toMatchObject({ omitted: 0, severity: { low: 7000 } });
  expect(mergedScan?.vulnerabilities[0]).toMatchObject({ id: 'CVE-00000', summary: '' });
});

it('shows the worst of each tool, however much another one says, and tells what it leaves out', () => {
  const noise = many(10_000, 'AAA', 'critical');
  const mergedScan = mergeScans({
    noisy: noise.map((one) => ({ ...one, components: ['a component of a long name'.repeat(15)] })),
    trivy: many(20, 'CVE', 'low'),
  });

  expect(mergedScan?.severity).toEqual({ ...nothing, critical: 10_000, low: 20 });
  expect(mergedScan?.omitted).toBeGreaterThan(0);
  const shown = mergedScan?.vulnerabilities ?? [];
  expect(shown.filter(({ found_by }) => found_by.includes('trivy'))).toHaveLength(20);
  expect(shown.length + (mergedScan?.omitted ?? 0)).toBe(10_020);
  expect(measureAnswer(mergedScan)).toBeLessThan(maxAnswerBytes + 10_000);
});

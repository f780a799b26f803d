import { describe, expect, it } from 'vitest';
import { toFinding } from '../../../shared/domain/scans/finding.ts';
import {
  defaultScanPolicy,
  type ScanPolicy,
  toErrorScan,
  toScanResult,
} from '../../../shared/domain/scans/scan-result.ts';
import type { Severity } from '../../../shared/domain/scans/severity.ts';
import { ScanResult } from '../../../shared/schemas/scan.ts';

const id = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' } as const;
const now = new Date('2026-01-02T03:04:05.678Z');

const scanOf = (found: readonly Severity[], policy: ScanPolicy = defaultScanPolicy) => {
  const findings = found.map((severity, at) => toFinding({ id: `CVE-${at}`, severity }));
  return toScanResult(id, { tools: ['trivy', 'trivy', 'grype'], findings }, { policy, now });
};

describe('toScanResult', () => {
  it('derives the counters from the vulnerabilities', () => {
    const result = scanOf(['low', 'critical', 'low', 'medium']);

    expect(result).toMatchObject({
      package: 'lodash',
      version: '4.17.20',
      scan_date: '2026-01-02T03:04:05.678Z',
      status: 'failed',
      reason: null,
      severity: { critical: 1, high: 0, medium: 1, low: 2 },
      tools_used: ['trivy', 'grype'],
    });
    expect(ScanResult.parse(result)).toEqual(result);
  });

  it('counts one vulnerability once', () => {
    const finding = toFinding({ id: 'CVE-1', severity: 'high' });

    const scan = { tools: ['trivy'], findings: [finding, finding] };
    const result = toScanResult(id, scan, { policy: defaultScanPolicy, now });

    expect(result.severity.high).toBe(1);
    expect(result.vulnerabilities).toHaveLength(1);
  });

  it.each<[Severity[], ScanPolicy['failedFrom'], ScanPolicy['warningFrom'], string]>([
    [[], 'low', 'low', 'passed'],
    [['critical'], 'critical', 'low', 'failed'],
    [['high'], 'critical', 'low', 'warning'],
    [['low', 'high'], 'high', 'low', 'failed'],
    [['medium'], 'high', 'medium', 'warning'],
    [['low'], 'high', 'medium', 'passed'],
    [['critical'], 'none', 'high', 'warning'],
    [['critical'], 'none', 'none', 'passed'],
    [['low'], 'low', 'none', 'failed'],
  ])(
    'of %j, failed from %s and warning from %s, is %s',
    (found, failedFrom, warningFrom, status) => {
      expect(scanOf(found, { failedFrom, warningFrom }).status).toBe(status);
    },
  );
});

it('says why a scan broke, and has nothing to count', () => {
  const reason = 'OSV.dev did not answer within 5 s';

  const result = toErrorScan(id, { tool: 'osv.dev', reason }, now);

  expect(ScanResult.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    status: 'error',
    reason,
    vulnerabilities: [],
    severity: { critical: 0, high: 0, medium: 0, low: 0 },
    tools_used: ['osv.dev'],
  });
});

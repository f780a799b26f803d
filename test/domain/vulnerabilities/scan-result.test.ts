import { describe, expect, it } from 'vitest';
import { StoredScan } from '../../../shared/api/schemas/scan.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';
import { toErrorScan, toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import type { Rating } from '../../../shared/domain/vulnerabilities/severity.ts';
import {
  defaultScanPolicy,
  type ScanPolicy,
} from '../../../shared/domain/vulnerabilities/verdict.ts';

const id = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' } as const;
const now = new Date('2026-01-02T03:04:05.678Z');

const scanOf = (found: readonly (Rating | null)[], policy: ScanPolicy = defaultScanPolicy) => {
  const findings = found.map((severity, at) => toFinding({ id: `CVE-${at}`, severity }));
  return toScanResult(id, { tools: ['trivy', 'grype', 'trivy'], findings }, { policy, now });
};

it('keeps every id, and of each vulnerability as many aliases as there is room for', () => {
  const findings = Array.from({ length: 2600 }, (_, at) => {
    const names = Array.from({ length: at % 2 === 0 ? 50 : 1 }, (__, alias) => `X-${at}-${alias}`);
    return toFinding({ id: `CVE-${at}`, aliases: names });
  });

  const { vulnerabilities } = toScanResult(
    id,
    { tools: ['osv.dev'], findings },
    { policy: defaultScanPolicy, now },
  );

  expect(vulnerabilities).toHaveLength(2600);
  const counts = vulnerabilities.map(({ aliases }) => aliases.length);
  expect(new Set(counts)).toEqual(new Set([1, 12]));
  expect(counts.reduce((sum, count) => sum + count + 1, 0)).toBeLessThanOrEqual(limits.ids);
});

describe('toScanResult', () => {
  it('derives the counters from the vulnerabilities', () => {
    const result = scanOf(['low', 'critical', 'low', 'medium']);

    expect(result).toMatchObject({
      package: 'lodash',
      version: '4.17.20',
      scan_date: '2026-01-02T03:04:05.678Z',
      status: 'failed',
      reason: null,
      severity: { critical: 1, high: 0, medium: 1, low: 2, unrated: 0 },
      tools_used: ['grype', 'trivy'],
    });
    expect(StoredScan.parse(result)).toEqual(result);
  });

  it('counts one vulnerability once', () => {
    const finding = toFinding({ id: 'CVE-1', severity: 'high' });

    const scan = { tools: ['trivy'], findings: [finding, finding] };
    const result = toScanResult(id, scan, { policy: defaultScanPolicy, now });

    expect(result.severity.high).toBe(1);
    expect(result.vulnerabilities).toHaveLength(1);
  });

  it.each<[Rating[], ScanPolicy['failedFrom'], ScanPolicy['warningFrom'], string]>([
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
      const policy = { failedFrom, warningFrom, unrated: 'failed' } as const;

      expect(scanOf(found, policy).status).toBe(status);
    },
  );
});

it('keeps what does no harm out of every counter, and lets it not touch the status', () => {
  const notAffecting = { by: 'osv-scanner', reason: 'its code is not called' };
  const findings = [
    toFinding({ id: 'CVE-1', severity: 'critical', notAffecting }),
    toFinding({ id: 'CVE-2', notAffecting }),
  ];

  const scan = { tools: ['osv-scanner'], findings };
  const result = toScanResult(id, scan, { policy: defaultScanPolicy, now });

  expect(StoredScan.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    status: 'passed',
    severity: { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 },
    vulnerabilities: [
      { id: 'CVE-1', severity: 'critical', not_affecting: notAffecting },
      { id: 'CVE-2', severity: 'unrated', not_affecting: notAffecting },
    ],
  });
});

it('counts apart what nobody has rated, and warns of it', () => {
  const result = scanOf([null, 'low', null]);

  expect(result.severity).toEqual({ critical: 0, high: 0, medium: 0, low: 1, unrated: 2 });
  expect(scanOf([null]).status).toBe('warning');
});

it('says why a scan broke, and has nothing to count', () => {
  const reason = 'OSV.dev did not respond within 5 s';

  const result = toErrorScan(id, { tool: 'osv.dev', reason }, now);

  expect(StoredScan.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    status: 'error',
    reason,
    vulnerabilities: [],
    severity: { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 },
    tools_used: ['osv.dev'],
  });
});

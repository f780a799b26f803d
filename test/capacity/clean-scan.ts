import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../shared/domain/vulnerabilities/finding.ts';
import { type ScanResult, toScanResult } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';

/** A scan without findings. */
export const cleanScan = ({ ecosystem, name, version }: PackageId): ScanResult => ({
  ecosystem,
  package: name,
  version,
  scan_date: '2026-01-01T00:00:00.000Z',
  status: 'passed',
  reason: null,
  vulnerabilities: [],
  severity: { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 },
  tools_used: ['osv-scanner'],
  forced: false,
});

/** A scan with one critical vulnerability. */
export const failedScan = (id: PackageId): ScanResult =>
  toScanResult(
    id,
    {
      tools: ['osv-scanner'],
      findings: [toFinding({ id: 'CVE-2021-44228', severity: 'critical', sources: ['osv'] })],
    },
    { policy: defaultScanPolicy, now: new Date() },
  );

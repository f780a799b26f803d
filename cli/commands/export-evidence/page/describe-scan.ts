import type { HistoryEntry } from '../../../../shared/api/schemas/history.ts';
import { formatSeverityCounts } from '../../../../shared/domain/vulnerabilities/severity-counts.ts';
import { isUnfinished } from '../../../presentation/unscanned.ts';
import { formatTime } from './parts.ts';

type RecordScan = NonNullable<HistoryEntry['evidence']>['scans'][number];

/** Describes a scan in the evidence of a decision: `scan 1 by trivy, 2026-01-31 12:00:00 UTC: failed (1 high)`. */
export const describeRecordScan = (scan: RecordScan): string => {
  const { number, tools_used, label, scan_date, status, severity } = scan;
  const token = label === null ? '' : ` (token ${label})`;
  const found = isUnfinished(scan)
    ? 'findings not known'
    : formatSeverityCounts(severity) || 'no vulnerabilities';
  return `scan ${number} by ${tools_used.join(', ')}${token}, ${formatTime(scan_date)}: ${status} (${found})`;
};

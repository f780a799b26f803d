import type { GivenStatus } from '../../shared/domain/licenses/license-status.ts';
import type { AttentionReason } from '../../shared/domain/review/attention.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import type { ScanStatus } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { type Severity, severities } from '../../shared/domain/vulnerabilities/severity.ts';

/** The meaning of a status, which an icon, a colour and a word show. */
export type Tone = 'good' | 'warn' | 'bad' | 'idle';

const shapes: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', idle: '–' };

const statusTones: Readonly<Record<Status, Tone>> = {
  approved: 'good',
  rejected: 'bad',
  pending: 'idle',
};

/** The severities in words. No rating is known of `unrated` vulnerabilities. */
const severityTexts: Readonly<Record<Severity, string>> = {
  ...{ critical: 'critical', high: 'high', medium: 'medium', low: 'low' },
  unrated: 'unknown severity',
};

const licenseTones: Readonly<Record<GivenStatus, Tone>> = {
  approved: 'good',
  conditional: 'warn',
  unreviewed: 'warn',
  unreadable: 'bad',
  rejected: 'bad',
};

const scanTones: Readonly<Record<ScanStatus, Tone>> = {
  passed: 'good',
  warning: 'warn',
  failed: 'bad',
  error: 'warn',
  pending: 'idle',
};

/** Why a version needs attention. */
export const attentionLabels: Readonly<Record<AttentionReason, string>> = {
  recalled: 'recalled',
  scan_failed: 'vulnerable',
  content_changed: 'content changed',
  removed: 'removed upstream',
  yanked: 'yanked',
  deprecated: 'deprecated',
};

/** The icon of a status. A word beside it names the status. */
export const StatusIcon = ({ tone }: { readonly tone: Tone }) => (
  <span class={`status-icon ${tone}`} aria-hidden="true">
    {shapes[tone]}
  </span>
);

/** The review status of a version. */
export const StatusLabel = ({ status }: { readonly status: Status }) => (
  <span class={`status-label ${statusTones[status]}`}>
    <StatusIcon tone={statusTones[status]} />
    {status}
  </span>
);

/** Returns the tone of a license status; `idle` without a license. */
export const toLicenseTone = (status: GivenStatus | null): Tone =>
  status === null ? 'idle' : licenseTones[status];

/** The number of open vulnerabilities of each severity. */
export type Counts = Readonly<Record<Severity, number>>;

/** Returns the counts in words: `1 critical, 2 high`. Empty without vulnerabilities. */
const formatCounts = (counts: Counts): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severityTexts[severity]}`)
    .join(', ');

/** Returns the number of open vulnerabilities. */
export const sumCounts = (counts: Counts): number =>
  severities.reduce((sum, severity) => sum + counts[severity], 0);

/** Returns the tone of a merged scan result; `idle` without a scan. */
export const toScanTone = (scan: { readonly status: ScanStatus } | null): Tone =>
  scan === null ? 'idle' : scanTones[scan.status];

/** Describes a merged scan result in words: `Scans fail the policy: 1 critical, 2 high`. */
export const describeScan = (
  scan: { readonly status: ScanStatus; readonly severity: Counts } | null,
): string => {
  if (scan === null) return 'Not scanned';
  if (scan.status === 'error') return 'Scan error';
  const result = scan.status === 'failed' ? 'fail the policy' : scan.status;
  return `Scans ${result}: ${formatCounts(scan.severity) || 'no open vulnerabilities'}`;
};

/** Describes a merged scan result in a few words: `scans: 1 critical, 2 high`. */
export const labelScan = (
  scan: { readonly status: ScanStatus; readonly severity: Counts } | null,
): string => {
  if (scan === null) return 'not scanned';
  if (scan.status === 'error') return 'scan error';
  return `scans: ${formatCounts(scan.severity) || scan.status}`;
};

const severityTones: Readonly<Record<Severity, Tone>> = {
  ...{ critical: 'bad', high: 'bad' },
  ...{ medium: 'warn', low: 'warn', unrated: 'warn' },
};

/** The severity of a vulnerability. */
export const SeverityLabel = ({ severity }: { readonly severity: Severity }) => (
  <span class={`status-label ${severityTones[severity]}`}>
    <StatusIcon tone={severityTones[severity]} />
    {severityTexts[severity]}
  </span>
);

import type { StatedStatus } from '../../shared/domain/licenses/status.ts';
import type { AttentionReason } from '../../shared/domain/review/attention.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import type { ScanStatus } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { type Severity, severities } from '../../shared/domain/vulnerabilities/severity.ts';

/** How something stands: told by shape, colour and word. */
export type Tone = 'good' | 'warn' | 'bad' | 'idle';

const shapes: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', idle: '–' };

const statusTones: Readonly<Record<Status, Tone>> = {
  approved: 'good',
  rejected: 'bad',
  pending: 'idle',
};

const licenseTones: Readonly<Record<StatedStatus, Tone>> = {
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

/** Why an approved version needs somebody to look at it. */
export const attentionLabels: Readonly<Record<AttentionReason, string>> = {
  scan_failed: 'scans failed',
  republished: 'other files',
  yanked: 'yanked',
  deprecated: 'deprecated',
};

/** A shape in a colour; what it means is told beside it. */
export const StatusIcon = ({ tone }: { readonly tone: Tone }) => (
  <span class={`status-icon ${tone}`} aria-hidden="true">
    {shapes[tone]}
  </span>
);

export const StatusLabel = ({ status }: { readonly status: Status }) => (
  <span class={`status-label ${statusTones[status]}`}>
    <StatusIcon tone={statusTones[status]} />
    {status}
  </span>
);

export const toLicenseTone = (status: StatedStatus | null): Tone =>
  status === null ? 'idle' : licenseTones[status];

export type Counts = Readonly<Record<Severity, number>>;

/** `1 critical, 2 high`; nothing where there is none. */
const formatCounts = (counts: Counts): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}`)
    .join(', ');

export const sumCounts = (counts: Counts): number =>
  severities.reduce((sum, severity) => sum + counts[severity], 0);

/** What scans come to, and how many vulnerabilities count. */
export const toScanTone = (scan: { readonly status: ScanStatus } | null): Tone =>
  scan === null ? 'idle' : scanTones[scan.status];

/** The same in words. */
export const describeScan = (
  scan: { readonly status: ScanStatus; readonly severity: Counts } | null,
): string => {
  if (scan === null) return 'never scanned';
  if (scan.status === 'error') return 'no scan has finished';
  return `scans ${scan.status}: ${formatCounts(scan.severity) || 'nothing that counts'}`;
};

/** Returns the result of all scans in a few words that say that they are about scans: `scans: 1 critical, 2 high`. */
export const labelScan = (
  scan: { readonly status: ScanStatus; readonly severity: Counts } | null,
): string => {
  if (scan === null) return 'never scanned';
  if (scan.status === 'error') return 'scan error';
  return `scans: ${formatCounts(scan.severity) || scan.status}`;
};

const severityTones: Readonly<Record<Severity, Tone>> = {
  ...{ critical: 'bad', high: 'bad' },
  ...{ medium: 'warn', low: 'warn', unrated: 'warn' },
};

export const SeverityLabel = ({ severity }: { readonly severity: Severity }) => (
  <span class={`status-label ${severityTones[severity]}`}>
    <StatusIcon tone={severityTones[severity]} />
    {severity}
  </span>
);

import { type Severity, severities } from './severity.ts';
import type { ScanPolicy } from './verdict.ts';

/** Number of vulnerabilities by severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** Returns counts as text: `1 critical, 2 high`; empty without vulnerabilities. */
export const formatSeverityCounts = (counts: SeverityCounts): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}`)
    .join(', ');

const describePolicy = ({ failedFrom, unrated }: ScanPolicy): string => {
  const parts = [
    ...(failedFrom === 'none' ? [] : [`from ${failedFrom}`]),
    ...(unrated === 'failed' ? ['for unrated'] : []),
  ];
  return `policy: fail ${parts.join(' and ')}`;
};

/** Returns why the scans of a version have the status `failed`: `1 high vulnerability (policy: fail from high).` */
export const explainFailedScan = (counts: SeverityCounts, policy: ScanPolicy): string => {
  const total = severities.reduce((sum, severity) => sum + counts[severity], 0);
  const noun = total === 1 ? 'vulnerability' : 'vulnerabilities';
  return `${formatSeverityCounts(counts)} ${noun} (${describePolicy(policy)}).`;
};

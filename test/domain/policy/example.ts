import type { FactsSummary } from '../../../shared/domain/facts/summary.ts';
import type { PolicySubject } from '../../../shared/domain/policy/match-rule.ts';
import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import {
  findScanSourceId,
  type ScanSource,
  toSender,
} from '../../../shared/domain/vulnerabilities/scan-source.ts';
import {
  type MergedScanEvidence,
  noCounts,
} from '../../../shared/domain/vulnerabilities/scan-summary.ts';

export const now = new Date('2026-06-15T12:00:00.000Z');

const dayMs = 24 * 60 * 60 * 1000;

/** So many days before now, and some milliseconds. */
export const daysAgo = (days: number, ms = 0): string =>
  new Date(now.getTime() - days * dayMs - ms).toISOString();

export const facts: FactsSummary = {
  digest: 'digest',
  found: 'yes',
  name_found: true,
  published_at: daysAgo(30),
  license: 'MIT',
  license_declaration: 'readable',
  license_statement: 'MIT',
  deprecated: null,
  yanked: null,
  newest_version: '1.2.3',
  install_scripts: false,
  checked_at: daysAgo(0),
};

export const mergedScan: MergedScanEvidence = { status: 'passed', severity: noCounts, accepted: 0 };

/** What the registry's own scanner found: nothing. */
export const ownSource: ScanSource = {
  id: findScanSourceId({ tools: ['osv.dev'], actor: anonymous }),
  tools: ['osv.dev'],
  ...toSender(anonymous, false),
  number: 1,
  scan_date: daysAgo(0),
  reason: null,
  failures: 0,
  confirmed_at: null,
  forced: false,
  finished: {
    ...{ number: 1, scan_date: daysAgo(0), severity: noCounts, digest: '', partial: null },
    malware: [],
  },
};

/** Of which all is known, and it has no issues. */
export const subject: PolicySubject = {
  ecosystem: 'npm',
  name: '@types/node',
  version: '1.2.3',
  submitter: 'ci',
  license: 'approved',
  isUpstreamLicenseKnown: true,
  merged_scan: mergedScan,
  sources: [ownSource],
  facts,
  hasApprovedMajor: true,
};

import type { Acceptance, AcceptanceAnswer } from '../schemas/acceptance.ts';
import type { AttentionPage } from '../schemas/attention.ts';
import type { RegistryEvent } from '../schemas/event.ts';
import type { VersionEvidence } from '../schemas/evidence.ts';
import type { Expiration } from '../schemas/expiration.ts';
import type { HistoryEntry } from '../schemas/history.ts';
import type { LicenseCompatibility, LicenseListItem, LicenseRecord } from '../schemas/license.ts';
import type { PackageAnswer, PackageListItem } from '../schemas/package.ts';
import type { PolicyPreviewResult, ReviewPolicy } from '../schemas/policy.ts';
import type { RetiredScans, ScanResult } from '../schemas/scan.ts';
import type { DayStatistics } from '../schemas/statistics.ts';
import type { VulnerabilityDetail, VulnerabilityPage } from '../schemas/vulnerability.ts';

/** The examples of the document: of packages that the demo data has, so that they can be tried. */
export const pending = {
  name: 'jszip',
  version: '3.10.1',
  ecosystem: 'npm',
  status: 'pending',
  license: 'MIT OR GPL-3.0-or-later',
} satisfies PackageListItem;

export const lodash = {
  name: 'lodash',
  version: '4.17.21',
  ecosystem: 'npm',
  status: 'approved',
  license: 'MIT',
} satisfies PackageListItem;

const undecided = {
  approved_by: null,
  approved_at: null,
  rejected_by: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
};

export const lodashDetail = {
  ...lodash,
  description: 'Utility functions for arrays, objects, strings and functions',
  homepage: 'https://example.com/lodash',
  repository: 'https://example.com/lodash.git',
  submitted_by: 'web@example.com',
  submitted_at: '2026-11-02T09:30:00.000Z',
  ...undecided,
  license_reading: 'MIT',
  license_note: null,
  approved_by: 'security@example.com',
  approved_at: '2026-11-03T14:05:00.000Z',
} satisfies PackageAnswer;

export const submittedDetail = {
  name: 'left-pad',
  version: '1.3.0',
  ecosystem: 'npm',
  status: 'pending',
  license: 'WTFPL',
  description: 'Pads a string on its left side',
  homepage: null,
  repository: null,
  submitted_by: 'web@example.com',
  submitted_at: '2026-11-21T08:00:00.000Z',
  ...undecided,
  license_reading: 'WTFPL',
  license_note: null,
} satisfies PackageAnswer;

const pendingDetail = {
  ...submittedDetail,
  ...pending,
  description: 'Reads and writes zip files',
  license_reading: pending.license,
} satisfies PackageAnswer;

export const approvedDetail = {
  ...pendingDetail,
  status: 'approved',
  approved_by: 'security@example.com',
  approved_at: '2026-11-21T10:00:00.000Z',
} satisfies PackageAnswer;

export const rejectedDetail = {
  ...pendingDetail,
  status: 'rejected',
  rejected_by: 'security@example.com',
  rejected_at: '2026-11-21T10:00:00.000Z',
  reason: 'The platform reads zip files by itself',
} satisfies PackageAnswer;

const nothing = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

const finding = {
  id: 'CVE-2021-23337',
  aliases: ['GHSA-35jh-r3h4-6jhm'],
  summary: 'Command injection by _.template',
  severity: 'high',
  cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H', score: 7.2 },
  affected_range: '<4.17.21',
  fixed_versions: ['4.17.21'],
  fix_state: 'fixed',
  references: ['https://example.com/advisories/CVE-2021-23337'],
  components: [],
  not_affecting: null,
  known_exploited: false,
  epss: 0.0081,
  source: 'a-scanner',
  found_by: ['a-scanner'],
  accepted: null,
} satisfies ScanResult['vulnerabilities'][number];

export const scan = {
  package: 'lodash',
  version: '4.17.20',
  scan_date: '2026-11-20T03:00:00.000Z',
  status: 'failed',
  reason: null,
  vulnerabilities: [finding],
  omitted: 0,
  severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
  tools_used: ['a-scanner'],
  tools: [
    {
      tool: 'a-scanner',
      label: 'ci',
      number: 2,
      scan_date: '2026-11-20T03:00:00.000Z',
      confirmed_at: null,
      status: 'failed',
      reason: null,
      severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
      forced: false,
    },
  ],
} satisfies ScanResult;

export const cleanScan = {
  ...scan,
  package: 'jszip',
  version: '3.10.1',
  status: 'passed',
  vulnerabilities: [],
  severity: nothing,
  tools: [
    {
      tool: 'a-scanner',
      label: 'ci',
      number: 1,
      scan_date: '2026-11-20T03:00:00.000Z',
      confirmed_at: null,
      status: 'passed',
      reason: null,
      severity: nothing,
      forced: false,
    },
  ],
} satisfies ScanResult;

export const retiredScans = {
  ecosystem: 'npm',
  package: 'lodash',
  version: '4.17.20',
  tool: 'a-scanner',
  label: 'ci',
  number: 2,
  reason: 'It scanned the wrong directory',
} satisfies RetiredScans;

export const attention = {
  ecosystem: 'npm',
  name: 'lodash',
  version: '4.17.20',
  since: '2026-11-20T03:00:00.000Z',
  reasons: ['scan_failed'],
  severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
} satisfies AttentionPage['attention'][number];

const acceptanceOfIt = {
  id: 'CVE-2021-23337',
  number: 1,
  reason: 'Templates come from us alone',
  expires_at: '2027-02-01T00:00:00.000Z',
  ecosystem: 'npm',
  name: 'lodash',
  version: null,
  by: 'security-team',
  at: '2026-11-21T10:00:00.000Z',
  ended: null,
} satisfies Acceptance;

export const acceptance = {
  ...acceptanceOfIt,
  affects: 1,
  affects_at_least: false,
} satisfies AcceptanceAnswer;

export const withdrawnAcceptance = {
  ...acceptance,
  ended: {
    how: 'withdrawn',
    at: '2026-12-01T10:00:00.000Z',
    by: 'security-team',
    reason: 'Customers may write templates from now on',
  },
} satisfies AcceptanceAnswer;

export const vulnerability = {
  id: 'CVE-2021-23337',
  aliases: ['GHSA-35jh-r3h4-6jhm'],
  severity: 'high',
  cvss_score: 7.2,
  known_exploited: false,
  epss: null,
  summary: 'Command Injection in lodash',
  versions: { approved: 1, pending: 0, rejected: 0 },
} satisfies VulnerabilityPage['vulnerabilities'][number];

export const vulnerabilityDetail = {
  ...vulnerability,
  acceptances: [acceptanceOfIt],
  packages: [
    {
      ecosystem: 'npm',
      name: 'lodash',
      version: '4.17.20',
      status: 'approved',
      severity: 'high',
      fixed_versions: ['4.17.21'],
      components: [],
      not_affecting: null,
      accepted_until: null,
    },
  ],
  total: 1,
  next: null,
} satisfies VulnerabilityDetail;

export const listedLicense = {
  name: 'EPL-2.0',
  title: 'Eclipse Public License 2.0',
  status: 'conditional',
  category: 'weak-copyleft',
  requires_attribution: true,
  allows_commercial: true,
  url: 'https://spdx.org/licenses/EPL-2.0.html',
} satisfies LicenseListItem;

export const license = {
  ...listedLicense,
  reading: 'EPL-2.0',
  compatible_with: ['EPL-2.0'],
  incompatible_with: ['MIT'],
  note: null,
  reviewed_by: null,
  reviewed_at: null,
} satisfies LicenseRecord;

export const decidedLicense = {
  ...license,
  status: 'approved',
  note: 'As a library, unmodified',
  reviewed_by: 'legal@example.com',
  reviewed_at: '2026-11-21T10:00:00.000Z',
} satisfies LicenseRecord;

export const compatibility = {
  license: 'Apache-2.0',
  license_reading: 'Apache-2.0',
  other: 'GPL-2.0-only',
  other_reading: 'GPL-2.0-only',
  verdict: 'incompatible',
  rule: 'apache-gpl2',
  explanation: 'The patent terms of Apache-2.0 are further restrictions to the GPL, version 2.',
  source: 'https://example.com/licenses/apache-gpl',
} satisfies LicenseCompatibility;

const factsInShort = {
  digest: 'H8cV2bX0pQm4sT9wLr3dYe',
  found: 'yes',
  name_found: true,
  published_at: '2021-02-20T15:42:16.891Z',
  license: 'MIT',
  deprecated: null,
  yanked: null,
  newest_version: '4.17.21',
  install_scripts: false,
  asked_at: '2026-11-02T09:00:05.000Z',
} as const;

const approval = {
  type: 'package.approved',
  at: '2026-11-03T14:05:00.000Z',
  ecosystem: 'npm',
  name: 'lodash',
  version: '4.17.21',
  by: 'security@example.com',
  from: 'pending',
  to: 'approved',
  reason: null,
  expires_at: null,
} as const;

export const approvalEntry = {
  ...approval,
  id: 'Qm9k3vXw2LhT',
  token_label: 'security-team',
  rule: null,
  overridden: [],
  scan: null,
  acceptance: null,
  evidence: {
    scans: [
      {
        number: 2,
        tools_used: ['osv.dev'],
        label: null,
        scan_date: '2026-11-03T03:00:00.000Z',
        status: 'passed',
        severity: nothing,
      },
    ],
    picture: { status: 'passed', severity: nothing, accepted: 0 },
    license: { claimed: 'MIT', reading: 'MIT', status: 'approved' },
    facts: factsInShort,
  },
} satisfies HistoryEntry;

export const approvalEvent = {
  ...approval,
  sequence: 42,
  id: approvalEntry.id,
  license: null,
  vulnerability: null,
  acceptance: null,
} satisfies RegistryEvent;

export const expiration = {
  ecosystem: 'npm',
  name: 'lodash',
  version: '4.17.21',
  expires_at: '2027-02-01T14:05:00.000Z',
} satisfies Expiration;

export const day = {
  date: '2026-11-21',
  submitted: 12,
  approved: 7,
  rejected: 2,
  expired: 0,
  by_rule: 5,
  decided: 9,
  mean_hours_to_decision: 5.25,
} satisfies DayStatistics;

export const evidence = {
  package: lodashDetail,
  facts: {
    found: 'yes',
    reason: null,
    name_found: true,
    published_at: factsInShort.published_at,
    licenses_declared: ['MIT'],
    license: 'MIT',
    description: 'Lodash modular utilities.',
    homepage: lodashDetail.homepage,
    repository: lodashDetail.repository,
    deprecated: null,
    yanked: null,
    install_scripts: [],
    provenance: false,
    newest_version: '4.17.21',
    asked_at: factsInShort.asked_at,
  },
  license: {
    claimed: 'MIT',
    reading: 'MIT',
    status: 'approved',
    declared: ['MIT'],
    declared_reading: 'MIT',
    declared_status: 'approved',
  },
  scan: null,
  earlier: [],
  held_by: null,
  objections: [{ code: 'scan_missing', message: 'It was never scanned.', blocks: false }],
} satisfies VersionEvidence;

export const reviewPolicy = {
  rules: [
    {
      name: 'types',
      when: { names: ['@types/*'], scan: ['passed'], found: ['yes'] },
      then: 'approve',
      reason: 'Types run nowhere',
    },
  ],
} satisfies ReviewPolicy;

export const policyResult = {
  ecosystem: 'npm',
  name: '@types/node',
  version: '24.0.0',
  decision: 'approve',
  rule: 'types',
  waits_for: [],
} satisfies PolicyPreviewResult;

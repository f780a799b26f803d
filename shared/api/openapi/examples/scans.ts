import type { Acceptance, AcceptanceAnswer } from '../../schemas/acceptance.ts';
import type { AttentionPage } from '../../schemas/attention.ts';
import type { Recall } from '../../schemas/recall.ts';
import type { DismissedScans, ScanResult } from '../../schemas/scan.ts';
import type { VulnerabilityDetail, VulnerabilityPage } from '../../schemas/vulnerability.ts';

export const nothing = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

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
  ecosystem: 'npm',
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

export const dismissedScans = {
  ecosystem: 'npm',
  package: 'lodash',
  version: '4.17.20',
  tool: 'a-scanner',
  label: 'ci',
  number: 2,
  reason: 'It scanned the wrong directory',
} satisfies DismissedScans;

export const attention = {
  ecosystem: 'npm',
  name: 'lodash',
  version: '4.17.20',
  since: '2026-11-20T03:00:00.000Z',
  reasons: ['scan_failed'],
  recall: null,
  severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
} satisfies AttentionPage['attention'][number];

export const recall = {
  ecosystem: 'npm',
  name: 'axios',
  version: '1.14.1',
  record: 'MAL-2026-2307',
  reason: 'Recalled: MAL-2026-2307: Malicious code in axios (npm)',
  recalled_at: '2026-03-31T03:24:00.000Z',
  approved_at: '2026-03-31T01:10:00.000Z',
  ended_at: null,
} satisfies Recall;

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

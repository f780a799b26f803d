import { type EvidenceReport, reportFormat } from '../../cli/commands/export-evidence/report.ts';
import { attestation } from '../../shared/api/openapi/examples/attestation.ts';
import { approvalEntry, licenseEvidence } from '../../shared/api/openapi/examples/memory.ts';
import { lodashDetail } from '../../shared/api/openapi/examples/packages.ts';
import { changes, evidence } from '../../shared/api/openapi/examples/review.ts';
import { acceptance, nothing, scan } from '../../shared/api/openapi/examples/scans.ts';
import type { Acceptance } from '../../shared/api/schemas/acceptance.ts';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import type { ScanResult } from '../../shared/api/schemas/scan.ts';

const id = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' } as const;

const { affects: _, affects_at_least: __, ...accepted } = acceptance;

type Finding = ScanResult['vulnerabilities'][number];

const finding = scan.vulnerabilities[0] as Finding;

const openFinding: Finding = {
  ...finding,
  id: 'CVE-2026-1001',
  aliases: ['GHSA-aaaa-bbbb-cccc'],
  summary: 'Prototype pollution in _.merge',
  severity: 'critical',
  cvss: null,
};

/** A scan of today, with an accepted, an open and a harmless vulnerability. */
const today: ScanResult = {
  ...scan,
  severity: { ...nothing, critical: 1 },
  vulnerabilities: [
    {
      ...finding,
      accepted: {
        id: accepted.id,
        number: accepted.number,
        reason: accepted.reason,
        by: accepted.by,
        until: accepted.expires_at,
      },
    },
    openFinding,
    {
      ...finding,
      id: 'CVE-2020-8203',
      aliases: [],
      not_affecting: { by: 'a-scanner', reason: 'vulnerable_code_not_present' },
    },
  ],
};

const undecided = {
  ...id,
  ...{ justification: null, rule: null, overridden: [], expires_at: null, question: false },
  ...{ acceptance: null, scan: null, evidence: null },
};

const approval: HistoryEntry = {
  ...approvalEntry,
  ...id,
  reason: 'Used by the importer alone.\nThe finding needs templates of strangers.',
  overridden: ['scan_failed'],
  expires_at: '2027-11-03T14:05:00.000Z',
  evidence: {
    ...approvalEntry.evidence,
    scans: [
      {
        ...{ number: 1, tools_used: ['a-scanner'], label: 'ci', status: 'failed' },
        scan_date: '2026-11-02T03:00:00.000Z',
        severity: { ...nothing, high: 1 },
      },
    ],
    merged_scan: { status: 'failed', severity: { ...nothing, high: 1 }, accepted: 0 },
  },
};

const history: HistoryEntry[] = [
  {
    ...undecided,
    id: 'f3mWqP0sKx2v',
    type: 'vulnerability.accepted',
    at: accepted.at,
    ...{ by: 'security-team', token_label: 'security-team', from: null, to: null },
    reason: accepted.reason,
    expires_at: accepted.expires_at,
    acceptance: { vulnerability: accepted.id, number: accepted.number },
  },
  {
    ...undecided,
    id: 'Zk81TqLw0aPd',
    type: 'package.attention',
    at: '2026-11-20T03:00:01.000Z',
    ...{ by: null, token_label: null, from: 'approved', to: 'approved' },
    reason: '1 critical vulnerability (policy: fail from high).',
    scan: { tool: 'a-scanner', label: 'ci', number: 2 },
  },
  approval,
  {
    ...undecided,
    id: 'Jd92kQmXs7Ub',
    type: 'package.submitted',
    at: '2026-11-01T10:00:00.000Z',
    ...{ by: 'web@example.com', token_label: 'ci', from: null, to: 'pending' },
    reason: null,
    justification: 'The importer groups rows with it.',
  },
];

const ended: Acceptance = {
  ...accepted,
  number: 2,
  version: id.version,
  at: '2026-11-10T10:00:00.000Z',
  ended: {
    how: 'withdrawn',
    at: '2026-11-12T10:00:00.000Z',
    by: 'security-team',
    reason: 'Accepted for all versions instead',
  },
};

/** A report with every part, of an approved version with later findings. */
export const exampleReport: EvidenceReport = {
  format: reportFormat,
  exported_at: '2026-11-25T08:30:15.000Z',
  registry: {
    url: 'https://registry.example.com',
    console: 'https://registry.example.com/console#/packages/npm/lodash/4.17.20',
    version: '0.1.0',
  },
  evidence: {
    ...evidence,
    package: {
      ...lodashDetail,
      ...id,
      status: 'approved',
      submitted_by: 'web@example.com',
      submitted_token_label: 'ci',
      submitted_at: '2026-11-01T10:00:00.000Z',
      approved_by: approval.by,
      approved_token_label: approval.token_label,
      approved_at: approval.at,
      expires_at: approval.expires_at,
      reason: approval.reason,
    },
    changes: { ...changes, ...id, since: '4.17.19', previous: null },
    files: evidence.files && { ...evidence.files, pinned: true },
    scan: today,
    earlier: [
      {
        ...{ version: '4.17.19', ecosystem: 'npm', status: 'approved' },
        ...{ at: '2025-01-10T09:00:00.000Z', by: 'security@example.com' },
        ...{ token_label: 'security-team', reason: null },
      },
    ],
    issues: [
      {
        code: 'scan_failed',
        message: '1 critical vulnerability (policy: fail from high).',
        blocks: true,
      },
    ],
  },
  history,
  scans_of_approval: [scan],
  acceptances: [accepted, ended],
  license: {
    name: 'MIT',
    title: 'MIT License',
    status: 'approved',
    category: 'permissive',
    requires_attribution: true,
    allows_commercial: true,
    url: 'https://spdx.example.com/licenses/MIT',
    normalized: licenseEvidence.effective.normalized,
    compatible_with: ['Apache-2.0'],
    incompatible_with: [],
    note: null,
    reviewed_by: null,
    reviewed_token_label: null,
    reviewed_at: null,
  },
  attestation: { envelope: attestation, missing: null },
  used_by: {
    list: {
      projects: 31,
      projects_at_least: false,
      first: [
        { project: 'acme/shop', owner: 'payments@example.com', refs: ['main', 'release/2'] },
        { project: 'billing', owner: null, refs: ['main'] },
      ],
    },
    missing: null,
  },
  gaps: [],
};

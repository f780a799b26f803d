import type { Freeze } from '../../../domain/review/freeze.ts';
import type { RegistryEvent } from '../../schemas/event.ts';
import type { Expiration } from '../../schemas/expiration.ts';
import type { HeldRecall } from '../../schemas/held-recall.ts';
import type { HistoryEntry } from '../../schemas/history.ts';
import type { DayStatistics } from '../../schemas/statistics.ts';
import { nothing } from './scans.ts';

export const summarizedFacts = {
  digest: 'H8cV2bX0pQm4sT9wLr3dYe',
  found: 'yes',
  name_found: true,
  published_at: '2021-02-20T15:42:16.891Z',
  license: 'MIT',
  license_declaration: 'readable',
  license_statement: 'MIT',
  deprecated: null,
  yanked: null,
  newest_version: '4.17.21',
  install_scripts: false,
  checked_at: '2026-11-02T09:00:05.000Z',
} as const;

const mit = { text: 'MIT', normalized: 'MIT', status: 'approved' } as const;

export const licenseEvidence = {
  submitted: mit,
  upstream_declaration: 'readable',
  upstream: mit,
  effective: { source: 'upstream', ...mit },
} as const;

const approval = {
  type: 'package.approved',
  at: '2026-11-03T14:05:00.000Z',
  ecosystem: 'npm',
  name: 'lodash',
  version: '4.17.21',
  by: 'security@example.com',
  token_label: 'security-team',
  from: 'pending',
  to: 'approved',
  reason: null,
  expires_at: null,
} as const;

export const approvalEntry = {
  ...approval,
  id: 'Qm9k3vXw2LhT',
  justification: null,
  rule: null,
  overridden: [],
  scan: null,
  acceptance: null,
  question: false,
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
    merged_scan: { status: 'passed', severity: nothing, accepted: 0 },
    license: licenseEvidence,
    facts: summarizedFacts,
  },
} satisfies HistoryEntry;

export const approvalEvent = {
  ...approval,
  sequence: 42,
  id: approvalEntry.id,
  license: null,
  vulnerability: null,
  acceptance: null,
  projects: null,
  before: null,
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
  waits: [4, 0, 1, 3, 1, 0, 0, 0, 0, 0, 0, 0],
} satisfies DayStatistics;

export const freeze = {
  before: '2026-09-15T00:00:00.000Z',
  reason: 'Malware in popular npm packages (incident 4711)',
  since: '2026-09-16T03:12:00.000Z',
  by: 'security-team',
  token_label: 'security-team',
} satisfies Freeze;

export const heldRecall = {
  record: 'MAL-2026-4711',
  ecosystem: 'npm',
  summary: 'Malicious code in left-pad (npm)',
  reasons: ['bare_range'],
  versions: 12,
  packages: ['left-pad'],
  held_at: '2026-03-31T03:24:00.000Z',
  confirmed: null,
} satisfies HeldRecall;

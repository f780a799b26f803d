import { describe, expect, it } from 'vitest';
import { findLastApproval } from '../../../../cli/commands/export-evidence/approvals.ts';
import {
  compareWithToday,
  findNewVulnerabilities,
} from '../../../../cli/commands/export-evidence/changes-since.ts';
import { compareSubmitterAndDecider } from '../../../../cli/commands/export-evidence/four-eyes.ts';
import type { HistoryEntry } from '../../../../shared/api/schemas/history.ts';
import { exampleReport } from '../../../support/evidence-report.ts';

const approval = findLastApproval(exampleReport.history)?.approval as HistoryEntry;

const entry = (type: HistoryEntry['type'], from: HistoryEntry['from'], to: HistoryEntry['to']) => ({
  ...approval,
  id: `${type} from ${from}`,
  ...{ type, from, to },
});

const renewal = entry('package.approved', 'approved', 'approved');
const first = entry('package.approved', 'pending', 'approved');
const recalled = entry('package.recalled', 'approved', 'rejected');
const released = entry('package.released', 'rejected', 'approved');
const expired = entry('package.expired', 'approved', 'pending');
const attention = entry('package.attention', 'approved', 'approved');

describe('the last approval', () => {
  it.each([
    ['the only one', [first], { approval: first, first, end: undefined }],
    ['a renewal', [attention, renewal, first], { approval: renewal, first, end: undefined }],
    ['one before an expiry', [expired, first], { approval: first, first, end: expired }],
    ['one before a recall', [recalled, first], { approval: first, first, end: recalled }],
    ['a released one', [released, recalled, first], { approval: first, first, end: undefined }],
    [
      'one after an expiry',
      [renewal, first, expired, first],
      { approval: renewal, first, end: undefined },
    ],
  ])('is %s', (_, history, expected) => {
    expect(findLastApproval(history)).toEqual(expected);
  });

  it('is missing in a history without one', () => {
    expect(findLastApproval([attention])).toBeUndefined();
  });
});

describe('four eyes', () => {
  const { evidence } = exampleReport;
  const submitted = (by: string | null, label: string | null, automatic = evidence.automatic) => ({
    package: { ...evidence.package, submitted_by: by, submitted_token_label: label },
    automatic,
  });
  const decided = (by: string | null, token_label: string | null, rule: string | null = null) => ({
    ...{ by, token_label, rule },
  });
  const update = { cause: 'update' as const, of: null, fixes: [] };
  const install = { cause: 'install' as const, of: null, fixes: [] };

  it.each([
    ['two tokens', submitted('a', 'ci'), decided('b', 'security'), 'yes'],
    ['two tokens of one name', submitted('a', 'ci'), decided('a', 'security'), 'no'],
    ['one token with two names', submitted('a', 'ci'), decided('b', 'ci'), 'no'],
    ['one name without labels', submitted('a', null), decided('a', null), 'no'],
    ['two names without labels', submitted('a', null), decided('b', null), 'not known'],
    ['no names', submitted(null, null), decided(null, null), 'not known'],
    ['a rule', submitted('a', 'ci'), decided('policy:x', null, 'x'), 'no'],
    ['the registry and a person', submitted('registry', null, update), decided('b', 'b'), 'no'],
    ['an install request', submitted('ci', 'ci', install), decided('b', 'security'), 'yes'],
  ])('are judged for %s', (_, version, decision, answer) => {
    expect(compareSubmitterAndDecider(version, decision).answer).toBe(answer);
  });
});

describe('the changes since an approval', () => {
  const { evidence } = exampleReport;
  const then = approval.evidence as NonNullable<HistoryEntry['evidence']>;

  it('name the values that differ', () => {
    const differing = compareWithToday(then, evidence).filter((one) => one.then !== one.now);

    expect(differing).toEqual([
      { what: 'Open vulnerabilities', then: '1 high', now: '1 critical' },
      { what: 'Accepted vulnerabilities', then: '0', now: '1' },
      { what: 'Provenance', then: 'not known', now: 'none' },
    ]);
  });

  it('do not take a missing scan for one without findings', () => {
    const missing = { ...then.merged_scan, status: 'missing' as const };

    const values = compareWithToday({ ...then, merged_scan: missing }, { ...evidence, scan: null });

    expect(values).toContainEqual({
      ...{ what: 'Open vulnerabilities', then: 'not known', now: 'not known' },
    });
  });

  it('do not take a failed scan for one without findings', () => {
    const none = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
    const failed = { ...then.merged_scan, status: 'error' as const, severity: none };
    const scan = evidence.scan && { ...evidence.scan, status: 'error' as const, severity: none };

    const values = compareWithToday({ ...then, merged_scan: failed }, { ...evidence, scan });

    expect(values).toContainEqual({
      ...{ what: 'Open vulnerabilities', then: 'not known', now: 'not known' },
    });
  });

  it('have the vulnerabilities that no scan of the approval had under any id', () => {
    const [scan] = exampleReport.scans_of_approval;
    const renamed =
      scan?.vulnerabilities.map((one) => ({ ...one, id: 'ghsa-AAAA-bbbb-cccc' })) ?? [];

    const found = findNewVulnerabilities(evidence, exampleReport.scans_of_approval);
    const known = scan && findNewVulnerabilities(evidence, [{ ...scan, vulnerabilities: renamed }]);

    expect(found.map(({ id }) => id)).toEqual(['CVE-2026-1001']);
    expect(known).toEqual([]);
  });
});

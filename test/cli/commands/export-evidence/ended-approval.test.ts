import { describe, expect, it } from 'vitest';
import { writePage } from '../../../../cli/commands/export-evidence/page/page.ts';
import type { EvidenceReport } from '../../../../cli/commands/export-evidence/report.ts';
import type { PackageDetail } from '../../../../shared/api/schemas/package.ts';
import { exampleReport } from '../../../support/evidence-report.ts';

const { evidence, history } = exampleReport;

const withDetail = (detail: Partial<PackageDetail>): EvidenceReport['evidence'] => ({
  ...evidence,
  package: { ...evidence.package, ...detail },
});

const answersOf = (changed: Partial<EvidenceReport>): string => {
  const [, answers = ''] = writePage({ ...exampleReport, ...changed }).split('class="answers"');
  return (answers.split('</dl>')[0] ?? '').replaceAll(/<[^>]*>/g, '');
};

const override = 'scan_failed overridden by';
const notInForce = 'This approval is no longer in force:';

describe('an approval in a report', () => {
  it('is in force with its overridden issues until it expires', () => {
    const answers = answersOf({ exported_at: '2027-11-03T14:04:59.999Z' });

    expect(answers).toContain(override);
    expect(answers).not.toContain(notInForce);
  });

  it('has ended at its expiry date, although the history has no entry about it yet', () => {
    const answers = answersOf({ exported_at: '2027-11-03T14:05:00.000Z' });

    expect(answers).toContain(`${notInForce} expired at 2027-11-03 14:05:00 UTC.`);
    expect(answers).not.toContain(override);
  });

  it('has ended if the version is not approved today', () => {
    const answers = answersOf({ evidence: withDetail({ status: 'pending' }) });

    expect(answers).toContain(`${notInForce} the version is pending today.`);
    expect(answers).not.toContain(override);
  });
});

describe('a report without an approval in its history', () => {
  const submitted = history.filter(({ type }) => type === 'package.submitted');
  const gaps = [{ part: 'history', message: 'It has only the newest 5,000 entries.' }];

  it.each([
    ['a complete history', null, [], 'Nobody. The version was never approved.'],
    [
      'an incomplete history',
      null,
      gaps,
      'Not known. The report has no approval, and its history is incomplete.',
    ],
    [
      'the time of an approval',
      '2026-11-03T14:05:00.000Z',
      gaps,
      'Not known. The version was approved at 2026-11-03 14:05:00 UTC,',
    ],
  ])('answers who approved, with %s', (_, approved_at, lost, answer) => {
    const page = { evidence: withDetail({ approved_at }), history: submitted, gaps: lost };

    expect(answersOf(page)).toContain(answer);
  });
});

describe('the scans of an approval', () => {
  it('are in the report of a version without a scan today', () => {
    const page = writePage({ ...exampleReport, evidence: { ...evidence, scan: null } });

    expect(page).toContain('The version has no scan.');
    expect(page).toContain('Evidence of the approval: scan by a-scanner');
  });
});

import { expect, it } from 'vitest';
import {
  issueCodes,
  listBlockingCodes,
  warningCodes,
} from '../../../shared/domain/review/approval.ts';

it('lists the codes of blocking issues only, for an override', () => {
  const issues = [
    { code: 'scan_failed', blocks: true },
    { code: 'license_differs', blocks: false },
    { code: 'dependency_unmet', blocks: false },
    { code: 'too_young', blocks: true },
    // No override lifts malware.
    { code: 'malware', blocks: true },
  ] as const;

  expect(listBlockingCodes(issues)).toEqual(['scan_failed', 'too_young']);
});

it.each(warningCodes)('knows no setting that blocks %s', (code) => {
  expect(issueCodes).not.toContain(code);
  expect(listBlockingCodes([{ code, blocks: true }])).toEqual([]);
});

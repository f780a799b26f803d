import { describe, expect, it } from 'vitest';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';

describe('Grype before 0.13', () => {
  const { findings } = readReport(exampleReport('grype-0.7'));

  it('is read with its range, its fix, its vectors and its links', () => {
    expect(findings.find(({ id }) => id === 'CVE-2020-29361')).toMatchObject({
      severity: 'medium',
      cvss: { version: '2.0', score: 5 },
      affected_range: '<0.23.15-2+deb10u1',
      fixed_versions: ['0.23.15-2+deb10u1'],
      references: ['https://security-tracker.debian.org/tracker/CVE-2020-29361'],
    });
  });

  it('is read with the vector of CVSS version 3 where there are both', () => {
    expect(findings.find(({ id }) => id === 'CVE-2015-5237')?.cvss).toMatchObject({
      version: '3.1',
      score: 8.8,
    });
  });
});

it.each([
  // In a sample of 0.7.0, and the source of 0.10.0; then of 0.12.0; then of 0.13.0.
  ['0.7', { matchedOn: { constraint: '< 1.3.1 (deb)' } }],
  ['0.12', { matchedOn: { versionConstraint: '< 1.3.1 (deb)' } }],
  ['0.13', [{ found: { versionConstraint: '< 1.3.1 (deb)' } }]],
])('reads the range of Grype %s, whose details are %j', (_, matchDetails) => {
  const vulnerability = { id: 'CVE-2026-1', severity: 'High' };
  const match = { vulnerability, matchDetails, artifact: { name: 'zlib', version: '1.3' } };

  const { findings } = readReport({ matches: [match], descriptor: { name: 'grype' } });

  expect(findings[0]?.affected_range).toBe('<1.3.1');
});

import { describe, expect, it } from 'vitest';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';

const findingOf = (report: string, vulnerability: string) =>
  readReport(exampleReport(report)).findings.find((found) => found.id === vulnerability);

const severityOf = (body: unknown) => readReport(body).findings.map(({ severity }) => severity);

describe('CycloneDX', () => {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const document = (...vulnerabilities: readonly object[]) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    vulnerabilities: vulnerabilities.map((given) => ({ id: 'CVE-2021-1', ...given })),
  });

  it('is read with the component that is affected, the fix and the links', () => {
    expect(findingOf('cyclonedx-trivy-1.7', 'CVE-2019-11358')).toEqual({
      id: 'CVE-2019-11358',
      aliases: [],
      summary: '',
      severity: 'medium',
      cvss: {
        version: '3.1',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
        score: 6.1,
      },
      affected_range: '',
      fixed_versions: ['3.4.0'],
      fix_state: null,
      references: ['https://avd.aquasec.com/nvd/cve-2019-11358'],
      components: ['jquery 3.3.9'],
      not_affecting: null,
      known_exploited: false,
      epss: null,
      source: 'ghsa',
    });
  });

  it('completes a vector without a prefix by the method, and takes the equivalent id', () => {
    expect(findingOf('cyclonedx-jake', 'c7129ff8-08bc-4afe-82ec-7d97b9491741')).toMatchObject({
      aliases: ['CVE-2021-33203'],
      cvss: { version: '3.0', vector: expect.stringContaining('CVSS:3.0/AV:N'), score: 7.5 },
      components: ['Django 2.0'],
    });
  });

  it('names a component of Maven by its group, and one within another', () => {
    const components = [
      {
        name: 'app',
        components: [{ 'bom-ref': 'c', group: '@babel', name: 'core', version: '7' }],
      },
      { 'bom-ref': 'm', group: 'org.x', name: 'y', version: '1', purl: 'pkg:maven/org.x/y@1' },
    ];
    const affects = [{ ref: 'm' }, { ref: 'c' }, { ref: 'urn:cdx:other' }];

    const { findings } = readReport({ ...document({ affects }), components });

    expect(findings[0]?.components).toEqual(['@babel/core 7', 'org.x:y 1', 'urn:cdx:other']);
  });

  it('reads the ranges that are affected', () => {
    const versions = [
      { range: 'vers:npm/>=1.0.0|<1.2.6' },
      { range: 'vers:npm/>=1.2.6', status: 'unaffected' },
      { version: '0.1.0', status: 'affected' },
    ];

    const { findings } = readReport(document({ affects: [{ ref: 'a', versions }] }));

    expect(findings[0]?.affected_range).toBe('>=1.0.0 <1.2.6');
  });

  it.each<[string, readonly object[], string]>([
    ['by its vector', [{ method: 'CVSSv31', vector }], 'critical'],
    ['by its score', [{ method: 'CVSSv4', score: 8.7 }], 'high'],
    [
      'by a vector of version 4',
      [{ method: 'CVSSv4', vector: 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N' }],
      'medium',
    ],
    ['by the word, whatever the score', [{ method: 'CVSSv31', vector, severity: 'low' }], 'low'],
    ['by the worst', [{ severity: 'low' }, { severity: 'high' }, { severity: 'unknown' }], 'high'],
    [
      'by version 2 only where there is no other',
      [
        { method: 'CVSSv2', severity: 'high', score: 10 },
        { method: 'CVSSv31', severity: 'medium' },
      ],
      'medium',
    ],
    ['by version 2', [{ method: 'CVSSv2', vector: 'AV:N/AC:L/Au:N/C:N/I:P/A:N' }], 'medium'],
    ['as unrated, though it is likely to be used', [{ method: 'other', score: 0.03 }], 'unrated'],
    ['as unrated', [], 'unrated'],
  ])('is rated %s', (_, ratings, severity) => {
    expect(severityOf(document({ ratings }))).toEqual([severity]);
  });

  // The other words of the schemas 1.4 to 1.7 (CycloneDX/specification, impactAnalysisState).
  it.each(['in_triage', 'exploitable', 'resolved', 'resolved_with_pedigree'])(
    'affects all the same where its analysis says %s',
    (state) => {
      const { findings } = readReport(document({ analysis: { state } }));

      expect(findings).toMatchObject([{ not_affecting: null }]);
    },
  );

  it('makes no advisory that covers several vulnerabilities one of them', () => {
    const references = [{ id: 'CVE-2021-1' }, { id: 'CVE-2021-2' }, { id: 'DSA-1-1' }];
    const others = [{ id: 'CVE-2021-1' }, { id: 'CVE-2021-2' }];

    const { findings } = readReport(document({ id: 'ELSA-1', references }, ...others));

    expect(findings.map(({ id }) => id)).toEqual(['CVE-2021-1', 'CVE-2021-2', 'ELSA-1']);
  });

  it('names its tools in either form, and itself where there are none', () => {
    expect(readReport(exampleReport('cyclonedx-grype')).tools).toEqual(['grype']);
    expect(readReport(exampleReport('cyclonedx-trivy-1.6')).tools).toEqual(['trivy']);
    expect(readReport(document({})).tools).toEqual(['cyclonedx']);
  });
});

import { describe, expect, it } from 'vitest';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';

const findingOf = (report: string, vulnerability: string) =>
  readReport(exampleReport(report)).findings.find((found) => found.id === vulnerability);

const severityOf = (body: unknown) => readReport(body).findings.map(({ severity }) => severity);

describe('Snyk', () => {
  const project = (...vulnerabilities: readonly object[]) => ({
    ok: false,
    dependencyCount: 1,
    vulnerabilities,
  });

  it('is read for several projects', () => {
    expect(readReport(exampleReport('snyk-2020-projects'))).toEqual({
      tools: ['snyk'],
      subjects: [],
      skipped: [],
      findings: [
        {
          id: 'SNYK-JAVA-ORGAPACHESANTUARIO-460281',
          aliases: ['CVE-2019-12400'],
          summary: 'XML External Entity (XXE) Injection',
          severity: 'medium',
          cvss: {
            version: '3.1',
            vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:L',
            score: 6.5,
          },
          affected_range: '[2.0.3, 2.1.4)',
          fixed_versions: ['2.1.4'],
          fix_state: null,
          references: expect.arrayContaining([
            'https://security.snyk.io/vuln/SNYK-JAVA-ORGAPACHESANTUARIO-460281',
          ]),
          components: ['org.apache.santuario:xmlsec 2.1.1'],
          not_affecting: null,
          known_exploited: false,
          epss: null,
          source: 'Snyk',
        },
      ],
    });
  });

  it('is read with the applications in an image', () => {
    expect(findingOf('snyk-2023-container', 'SNYK-JS-EXPRESSJWT-575022')).toMatchObject({
      severity: 'high',
      components: ['express-jwt 0.1.3'],
    });
  });

  it('is read without its license issues', () => {
    const { findings } = readReport(exampleReport('snyk-2025'));

    expect(findings.map(({ id }) => id)).toEqual([
      'SNYK-JS-GRUNT-2635969',
      'npm:sanitize-html:20141024',
    ]);
  });

  it('uses the rating of older releases that includes critical', () => {
    const issue = { id: 'SNYK-1', severity: 'high', severityWithCritical: 'critical' };

    expect(severityOf(project(issue))).toEqual(['critical']);
  });

  it('uses the dependency path for a component without a version', () => {
    expect(findingOf('snyk-unmanaged', 'SNYK-UNMANAGED-CURL-2317479')?.components).toEqual([
      'https://curl.se|curl 7.58.0',
    ]);
  });

  it('is clean if it has dependencies without findings', () => {
    expect(readReport([project(), { ...project(), dependencyCount: 0 }]).findings).toEqual([]);
  });
});

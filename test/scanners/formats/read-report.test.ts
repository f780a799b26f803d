import { describe, expect, it } from 'vitest';
import { StoredScan } from '../../../shared/api/schemas/scan.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { condenseReport } from '../../../shared/scanners/formats/condense-report.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport, exampleReports } from './example.ts';

const id = { ecosystem: 'npm', name: 'app', version: '1.0.0' } as const;
const now = new Date('2026-01-02T03:04:05.678Z');

const findingOf = (report: string, vulnerability: string) =>
  readReport(exampleReport(report)).findings.find((found) => found.id === vulnerability);

describe('readReport', () => {
  it.each([
    ['trivy-image', 'trivy', { critical: 0, high: 0, medium: 3, low: 0, unrated: 0 }],
    ['grype', 'grype', { critical: 0, high: 1, medium: 0, low: 1, unrated: 0 }],
    ['osv-scanner', 'osv-scanner', { critical: 0, high: 1, medium: 2, low: 0, unrated: 1 }],
    ['osv-scanner-clean', 'osv-scanner', { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 }],
    ['npm-audit', 'npm audit', { critical: 1, high: 1, medium: 1, low: 0, unrated: 0 }],
    ['npm-audit-clean', 'npm audit', { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 }],
    ['npm-audit-6', 'npm audit', { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 }],
    ['pip-audit', 'pip-audit', { critical: 0, high: 0, medium: 0, low: 0, unrated: 2 }],
    ['own', 'in-house review', { critical: 1, high: 0, medium: 0, low: 1, unrated: 0 }],
  ])('counts %s by %s as %j', (report, tool, severity) => {
    const { tools, findings } = readReport(exampleReport(report));

    const result = toScanResult(id, { tools, findings }, { policy: defaultScanPolicy, now });
    expect(result).toMatchObject({ tools_used: [tool], severity });
    expect(StoredScan.parse(result)).toEqual(result);
  });

  it('merges the components of one Trivy vulnerability, and reads its NVD rating', () => {
    expect(findingOf('trivy-image', 'CVE-2019-1549')).toEqual({
      id: 'CVE-2019-1549',
      aliases: [],
      summary: 'openssl: information disclosure in fork()',
      severity: 'medium',
      cvss: {
        version: '3.1',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
        score: 5.3,
      },
      affected_range: '',
      fixed_versions: ['1.1.1d-r0'],
      fix_state: 'fixed',
      references: [
        'https://avd.aquasec.com/nvd/cve-2019-1549',
        'https://access.redhat.com/security/cve/CVE-2019-1549',
        'https://www.openssl.org/news/secadv/20190910.txt',
      ],
      components: ['libcrypto1.1 1.1.1c-r0', 'libssl1.1 1.1.1c-r0'],
      not_affecting: null,
      known_exploited: false,
      epss: null,
      source: 'alpine',
    });
  });

  it('uses the CVSS vector if Trivy has no severity', () => {
    expect(findingOf('trivy-image', 'CVE-2019-1551')?.severity).toBe('medium');
  });

  it("reads Trivy's alias of the same vulnerability", () => {
    expect(findingOf('trivy-image', 'CVE-2019-11358')?.aliases).toEqual(['GHSA-6c3j-c64m-qhgq']);
  });

  it('reads the related id, the range and the namespace of Grype', () => {
    expect(findingOf('grype', 'GHSA-35jh-r3h4-6jhm')).toMatchObject({
      aliases: ['CVE-2021-23337'],
      summary: 'Command Injection in lodash',
      severity: 'high',
      cvss: { version: '3.1', score: 7.2 },
      affected_range: '<4.17.21',
      fixed_versions: ['4.17.21'],
      components: ['lodash 4.17.20'],
      source: 'github',
    });
  });

  it('reads data that Grype has only for the related vulnerability', () => {
    expect(findingOf('grype', 'CVE-2011-3374')).toMatchObject({
      severity: 'low',
      cvss: { version: '3.1', score: 3.7 },
      affected_range: '',
      source: 'debian',
    });
  });

  it('reads the records of OSV-Scanner with their packages', () => {
    expect(findingOf('osv-scanner', 'GHSA-29mw-wpgm-hmr9')).toEqual({
      id: 'GHSA-29mw-wpgm-hmr9',
      aliases: ['CVE-2020-28500'],
      summary: 'Regular Expression Denial of Service (ReDoS) in lodash',
      severity: 'medium',
      cvss: {
        version: '3.1',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
        score: 5.3,
      },
      affected_range: '<4.17.21',
      fixed_versions: ['4.17.21'],
      fix_state: null,
      references: ['https://nvd.nist.gov/vuln/detail/CVE-2020-28500'],
      components: ['lodash 4.17.20'],
      not_affecting: null,
      known_exploited: false,
      epss: null,
      source: 'GitHub Advisory Database',
    });
  });

  it("uses OSV-Scanner's rating for records without one", () => {
    const ids = ['PYSEC-2021-66'];
    const vulnerabilities = [{ id: 'PYSEC-2021-66', aliases: ['CVE-2020-28493'] }];
    const scanned = (max_severity: string) => ({
      package: { name: 'jinja2', version: '2.11.2', ecosystem: 'PyPI' },
      vulnerabilities,
      groups: [{ ids, aliases: [...ids, 'CVE-2020-28493'], max_severity }],
    });

    const severityOf = (score: string) =>
      readReport({ results: [{ packages: [scanned(score)] }] }).findings[0]?.severity;

    expect(severityOf('5.3')).toBe('medium');
    expect(severityOf('')).toBe('unrated');
  });

  it("uses Ubuntu's rating if OSV-Scanner has no score", () => {
    const scanned = {
      package: { name: 'bash', version: '5.1-6ubuntu1', ecosystem: 'Ubuntu:22.04:LTS' },
      vulnerabilities: [
        { id: 'UBUNTU-CVE-2022-3715', severity: [{ type: 'Ubuntu', score: 'low' }] },
      ],
      groups: [{ ids: ['UBUNTU-CVE-2022-3715'], max_severity: '' }],
    };

    const { findings } = readReport({ results: [{ packages: [scanned] }] });

    expect(findings).toMatchObject([{ id: 'UBUNTU-CVE-2022-3715', severity: 'low' }]);
  });

  it('reads a clean report of OSV-Scanner', () => {
    const scanned = { package: { name: 'lodash', version: '4.18.1', ecosystem: 'npm' } };

    const { findings } = readReport({
      results: [{ packages: [scanned] }],
      experimental_config: { licenses: { summary: false, allowlist: null } },
    });

    expect(findings).toEqual([]);
  });

  it('reads the advisories of npm audit, without transitively affected packages', () => {
    expect(readReport(exampleReport('npm-audit')).findings).toMatchObject([
      {
        id: 'GHSA-xvch-5gv4-984h',
        severity: 'critical',
        cvss: { version: '3.1', score: 9.8 },
        affected_range: '<0.2.4',
        // npm names a fix of optimist, which depends on minimist.
        fixed_versions: [],
        components: ['minimist'],
        references: ['https://github.com/advisories/GHSA-xvch-5gv4-984h'],
      },
      { id: 'GHSA-35jh-r3h4-6jhm', severity: 'high', fixed_versions: ['4.18.1'] },
      { id: 'GHSA-29mw-wpgm-hmr9', severity: 'medium' },
    ]);
  });

  it('uses the advisory number of npm 6 if there is no other id', () => {
    expect(readReport(exampleReport('npm-audit-6')).findings).toMatchObject([
      { id: 'npm-1065', aliases: ['CVE-2019-10744'], components: ['lodash 4.17.11'] },
    ]);
  });

  it('reads a pnpm report without a fixed version', () => {
    const advisory = {
      findings: [{ version: '1.2.0', paths: ['.>minimist'] }],
      id: 1097678,
      title: 'Prototype Pollution in minimist',
      module_name: 'minimist',
      vulnerable_versions: '>=1.0.0 <1.2.6',
      patched_versions: null,
      severity: 'critical',
      cwe: 'CWE-1321',
      github_advisory_id: 'GHSA-xvch-5gv4-984h',
      url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
    };
    const vulnerabilities = { info: 0, low: 0, moderate: 0, high: 0, critical: 1 };

    const { findings } = readReport({
      advisories: { 1097678: advisory },
      metadata: { vulnerabilities, dependencies: 1, totalDependencies: 1 },
    });

    expect(findings).toMatchObject([{ id: 'GHSA-xvch-5gv4-984h', components: ['minimist 1.2.0'] }]);
  });

  it('reads unrated vulnerabilities of pip-audit', () => {
    expect(findingOf('pip-audit', 'PYSEC-2021-66')).toMatchObject({
      aliases: ['CVE-2020-28493', 'GHSA-g3rq-g295-4j3m', 'SNYK-PYTHON-JINJA2-1012994'],
      severity: 'unrated',
      cvss: null,
      fixed_versions: ['2.11.3'],
      components: ['jinja2 2.11.2'],
      source: 'PyPI',
    });
  });

  it('reads the findings and the skipped packages of pip-audit', () => {
    const { dependencies } = exampleReport('pip-audit') as { dependencies: unknown[] };
    const skipped = { name: 'acme-app', skip_reason: 'distribution\nmarked as editable' };

    const report = readReport({ dependencies: [skipped, ...dependencies], fixes: [] });

    expect(report.skipped).toEqual([{ name: 'acme-app', why: 'distribution marked as editable' }]);
    expect(report.findings).toEqual(readReport(exampleReport('pip-audit')).findings);
    expect(condenseReport({ dependencies: [skipped, ...dependencies] }, 1e6).report).toMatchObject({
      skipped: report.skipped,
    });
  });

  it('reads the bare list of older pip-audit releases', () => {
    const { dependencies } = exampleReport('pip-audit') as { dependencies: unknown[] };

    expect(readReport(dependencies)).toEqual(readReport(exampleReport('pip-audit')));
  });

  it('reads our own format, with the severity from the vector', () => {
    expect(findingOf('own', 'CVE-2021-44906')).toMatchObject({
      severity: 'critical',
      cvss: { version: '3.1', score: 9.8 },
      affected_range: '<0.2.4 || >=1.0.0 <1.2.6',
      components: ['minimist 1.2.5'],
      source: 'NVD',
    });
  });

  it('gives the same result twice', () => {
    for (const report of exampleReports) {
      expect(readReport(exampleReport(report))).toEqual(readReport(exampleReport(report)));
    }
  });
});

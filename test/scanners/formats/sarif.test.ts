import { describe, expect, it } from 'vitest';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';

const findingOf = (report: string, vulnerability: string) =>
  readReport(exampleReport(report)).findings.find((found) => found.id === vulnerability);

const severityOf = (body: unknown) => readReport(body).findings.map(({ severity }) => severity);

describe('SARIF', () => {
  const rated = (id: string, severity: unknown) => ({
    id,
    properties: { 'security-severity': severity },
  });
  const log = (rules: readonly object[], ...results: readonly object[]) => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'CodeQL', rules } }, results }],
  });

  it('is read with the packages of its messages, and the vectors of its rules', () => {
    expect(findingOf('sarif-trivy-0.65', 'CVE-2019-1549')).toEqual({
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
      fix_state: null,
      references: ['https://avd.aquasec.com/nvd/cve-2019-1549'],
      components: ['libcrypto1.1 1.1.1c-r0', 'libssl1.1 1.1.1c-r0'],
      not_affecting: null,
      known_exploited: false,
      epss: null,
      source: 'Trivy',
    });
  });

  it('makes one of the rules that Grype writes for one vulnerability', () => {
    expect(findingOf('sarif-grype', 'CVE-2008-0732')?.components).toHaveLength(6);
  });

  it('counts what OSV-Scanner does not rate, with its other ids', () => {
    expect(findingOf('sarif-osv-scanner', 'CVE-2021-3121')).toMatchObject({
      severity: 'unrated',
      aliases: ['GHSA-c3h9-896r-86jm'],
      components: ['github.com/gogo/protobuf 1.3.1'],
    });
  });

  it('reads the words of Semgrep, where in the source it is, and ids of any length', () => {
    const { tools, findings } = readReport(exampleReport('sarif-semgrep'));

    expect(tools).toEqual(['semgrep oss']);
    expect(findings.map(({ severity }) => severity)).toEqual(['medium', 'medium']);
    expect(findings[1]?.components).toContain('Gruntfile.js:75');
    expect(findings[1]?.id).toMatch(/rule-non-literal-fs-filename$/);
  });

  it.each<[unknown, string]>([
    ['9.0', 'critical'],
    [7.5, 'high'],
    ['4.0', 'medium'],
    ['0.1', 'low'],
    ['CRITICAL', 'critical'],
    ['0.0', 'unrated'],
    ['not_specified', 'unrated'],
    [[], 'unrated'],
    [true, 'unrated'],
  ])('is rated by a security-severity of %j, else counts as unrated', (severity, expected) => {
    expect(severityOf(log([rated('a', severity)], { ruleId: 'a' }))).toEqual([expected]);
  });

  it('takes the worse rating, of the rule or of one result', () => {
    const result = { ruleId: 'a', properties: { 'security-severity': '9.5' } };

    expect(severityOf(log([rated('a', '2.0')], { ruleId: 'a' }, result))).toEqual(['critical']);
  });

  it('leaves out what is of style, gone or no problem', () => {
    const style = { id: 'style', properties: { tags: ['maintainability'] } };

    const { findings } = readReport(
      log(
        [rated('a', '5'), style],
        { ruleId: 'style' },
        { ruleId: 'a', kind: 'pass' },
        { ruleId: 'a', kind: 'notApplicable' },
        { ruleId: 'a', baselineState: 'absent' },
      ),
    );

    expect(findings).toEqual([]);
  });

  it('counts what is suppressed, and what is of security or of a rule that it does not tell of', () => {
    const tagged = { id: 'tagged', properties: { tags: ['security'] } };

    const { findings } = readReport(
      log(
        [rated('a', '5'), tagged],
        { ruleId: 'a', suppressions: [{ kind: 'external' }] },
        { ruleId: 'tagged' },
        { ruleId: 'untold' },
      ),
    );

    expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
      'a medium',
      'tagged unrated',
      'untold unrated',
    ]);
  });

  it('finds the rule of a result by its place in its component', () => {
    const tool = {
      driver: { name: 'CodeQL', rules: [rated('js/other', '2')] },
      extensions: [{ name: 'queries', rules: [rated('js/other', '2'), rated('js/xss', '7.8')] }],
    };
    const result = { rule: { index: 1, toolComponent: { index: 0 } } };

    const { findings } = readReport({ version: '2.1.0', runs: [{ tool, results: [result] }] });

    expect(findings).toMatchObject([{ id: 'js/xss', severity: 'high' }]);
  });

  it('unites the tools and findings of its runs, and takes one without findings for clean', () => {
    const run = (name: string, ...results: readonly object[]) => ({
      tool: { driver: { name, rules: [rated('a', '5')] } },
      results,
    });
    const runs = [run('Snyk'), run('Trivy', { ruleId: 'a' }), run('Snyk')];

    expect(readReport({ version: '2.1.0', runs })).toMatchObject({
      tools: ['snyk', 'trivy'],
      findings: [{ id: 'a', source: 'Trivy' }],
    });
    expect(readReport({ version: '2.1.0', runs: [run('Snyk')] }).findings).toEqual([]);
  });
});

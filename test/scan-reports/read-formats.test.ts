import { describe, expect, it } from 'vitest';
import { readReport } from '../../shared/scan-reports/read-report.ts';
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
      references: ['https://avd.aquasec.com/nvd/cve-2019-11358'],
      components: ['jquery 3.3.9'],
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
    ['as unrated, though it is likely to be used', [{ method: 'other', score: 0.03 }], 'high'],
    ['as unrated', [], 'high'],
  ])('is rated %s', (_, ratings, severity) => {
    expect(severityOf(document({ ratings }))).toEqual([severity]);
  });

  it.each(['not_affected', 'false_positive', 'resolved'])(
    'counts what its document calls %s all the same',
    (state) => {
      expect(
        severityOf(document({ ratings: [{ severity: 'high' }], analysis: { state } })),
      ).toEqual(['high']);
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
      references: ['https://avd.aquasec.com/nvd/cve-2019-1549'],
      components: ['libcrypto1.1 1.1.1c-r0', 'libssl1.1 1.1.1c-r0'],
      source: 'Trivy',
    });
  });

  it('makes one of the rules that Grype writes for one vulnerability', () => {
    expect(findingOf('sarif-grype', 'CVE-2008-0732')?.components).toHaveLength(6);
  });

  it('counts what OSV-Scanner does not rate, with its other ids', () => {
    expect(findingOf('sarif-osv-scanner', 'CVE-2021-3121')).toMatchObject({
      severity: 'high',
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
    ['0.0', 'high'],
    ['not_specified', 'high'],
    [[], 'high'],
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
      'tagged high',
      'untold high',
      'a medium',
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

describe('Snyk', () => {
  const project = (...vulnerabilities: readonly object[]) => ({
    ok: false,
    dependencyCount: 1,
    vulnerabilities,
  });

  it('is read of several projects', () => {
    expect(readReport(exampleReport('snyk-2020-projects'))).toEqual({
      tools: ['snyk'],
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
          references: expect.arrayContaining([
            'https://security.snyk.io/vuln/SNYK-JAVA-ORGAPACHESANTUARIO-460281',
          ]),
          components: ['org.apache.santuario:xmlsec 2.1.1'],
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

  it('is read without the licenses that it tells of', () => {
    const { findings } = readReport(exampleReport('snyk-2025'));

    expect(findings.map(({ id }) => id)).toEqual([
      'SNYK-JS-GRUNT-2635969',
      'npm:sanitize-html:20141024',
    ]);
  });

  it('takes the rating of older releases that knows critical ones', () => {
    const issue = { id: 'SNYK-1', severity: 'high', severityWithCritical: 'critical' };

    expect(severityOf(project(issue))).toEqual(['critical']);
  });

  it('takes the component from the way to it where there is no version', () => {
    expect(findingOf('snyk-unmanaged', 'SNYK-UNMANAGED-CURL-2317479')?.components).toEqual([
      'https://curl.se|curl 7.58.0',
    ]);
  });

  it('is clean where it looked at dependencies', () => {
    expect(readReport([project(), { ...project(), dependencyCount: 0 }]).findings).toEqual([]);
  });
});

it('reads what pnpm writes without a version that is fixed', () => {
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

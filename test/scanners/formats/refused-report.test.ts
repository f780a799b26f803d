import { describe, expect, it } from 'vitest';
import { ScannerReport } from '../../../shared/api/schemas/scan.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';
import type { Finding } from '../../../shared/domain/vulnerabilities/vulnerability.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { measureWork } from '../../support/work.ts';
import { exampleReport } from './example.ts';
import { rated, sarif, snyk } from './made.ts';
import { refusalOf } from './refusal.ts';

/** The npm 6 report of a project without vulnerabilities, with other metadata. */
const npmAudit6 = (metadata: object) => ({
  advisories: {},
  metadata: { vulnerabilities: { low: 0, high: 0 }, totalDependencies: 1, ...metadata },
});

/** The report of npm 7 and later for one dependency with these vulnerabilities. */
const npmAudit = (vulnerabilities: object, total = Object.keys(vulnerabilities).length) => ({
  auditReportVersion: 2,
  vulnerabilities,
  metadata: { vulnerabilities: { total }, dependencies: { total: 1 } },
});

const osvScanner = (scanned: object) => ({
  results: [{ packages: [{ package: { name: 'a' }, ...scanned }] }],
  experimental_config: {},
});

/** A multiple of a fixed computation; only costs that grow faster than the report's size exceed it. */
const muchWork = 80;

const valid = { id: 'CVE-2021-44906', severity: 'high' };
const own = (...vulnerabilities: unknown[]) => ({ tool: 'review', vulnerabilities });

it('reads 4 MiB of zeros fast', () => {
  const zeros = Array(2 * 1024 * 1024).fill(0);

  expect(measureWork(() => refusalOf(ScannerReport.parse(zeros)), 3)).toBeLessThan(8);
});

it('refuses control characters in an id', () => {
  const { message } = refusalOf(own({ ...valid, id: 'CVE-1\u0000' }));

  expect(message).toContain('must not be blank, nor contain control characters');
});

describe.each([
  ['U+202E', 'CVE-\u202e2021-1'],
  ['U+200B', 'CVE-2021-\u200b1'],
])('an id with the invisible character %s', (code, id) => {
  const pipAudit = {
    name: 'a',
    version: '1',
    vulns: [{ id: 'X-1', aliases: [id], fix_versions: [] }],
  };

  it.each<[string, unknown]>([
    ['an id', own({ ...valid, id })],
    ['an alias', own({ ...valid, aliases: [id] })],
    ['an alias of another format', [pipAudit]],
  ])('is refused as %s', (_, body) => {
    expect(refusalOf(body).message).toBe(
      `body: has an id that must not contain the invisible character ${code}`,
    );
  });
});

it.each<[string, unknown]>([
  ['our own format', { ...own(), tool: 'tri\u200bvy' }],
  [
    'CycloneDX',
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { tools: [{ name: 'tri\u200bvy' }] },
      vulnerabilities: [{ id: 'CVE-1' }],
    },
  ],
])('refuses a tool that looks like another one, in %s', (_, body) => {
  expect(refusalOf(body).message).toBe(
    'body: has a tool that must not contain the invisible character U+200B',
  );
});

describe('a report of no known format', () => {
  it.each([
    [null],
    [undefined],
    [7],
    ['trivy'],
    [[]],
    [[1, 2]],
    [{}],
    [{ ok: true }],
    [{ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] }],
    [{ errors: [], generated_at: '2026-01-02T03:04:05Z', metrics: {}, results: [] }],
    [{ version: '1.0.0', results: [], errors: [{ level: 'error' }], paths: { scanned: [] } }],
    [{ results: [], experimental_config: {}, errors: ['it did not go well'] }],
  ])('is refused with the supported formats: %j', (body) => {
    const { message } = refusalOf(body);

    for (const format of [
      'CycloneDX',
      'SARIF',
      'Snyk',
      'Trivy',
      'Grype',
      'npm audit',
      'pip-audit',
      'OSV-Scanner',
      'own format',
    ]) {
      expect(message).toContain(format);
    }
  });
});

it.each([null, 'x', 7, true])('explains the report format for %j', (body) => {
  const { error } = ScannerReport.safeParse(body);

  expect(error?.issues).toMatchObject([
    { path: [], message: 'must be the report of a scanner, as JSON' },
  ]);
});

describe('a report about no packages', () => {
  it.each([
    [
      'npm audit',
      exampleReport('npm-audit-failed'),
      'ENOLOCK This command requires an existing lockfile.',
    ],
    ['npm audit', npmAudit6({ totalDependencies: 0 }), 'covers no dependencies'],
    ['npm audit', exampleReport('npm-audit-nothing'), 'covers no dependencies'],
    [
      'npm audit',
      { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } },
      '405 Method Not Allowed',
    ],
    [
      'pip-audit',
      exampleReport('pip-audit-skipped'),
      'skipped every dependency, such as requests: Dependency not found on PyPI',
    ],
    ['pip-audit', { dependencies: [], fixes: [] }, 'covers no dependencies'],
    [
      'Trivy',
      { SchemaVersion: 2, ArtifactName: 'app', ArtifactType: 'filesystem' },
      'Results contains no packages',
    ],
    [
      'Trivy',
      { SchemaVersion: 2, ArtifactName: 'app', Results: [] },
      'Results contains no packages',
    ],
    [
      'Trivy',
      {
        SchemaVersion: 2,
        ArtifactName: 'app',
        Results: [{ Target: 'Dockerfile', Class: 'config' }],
      },
      'Results contains no packages',
    ],
    [
      'Grype',
      {
        matches: [],
        descriptor: { name: 'grype', db: { status: { valid: false, error: 'db is stale' } } },
      },
      'db is stale',
    ],
    [
      'Grype',
      { matches: [], descriptor: { name: 'grype', db: { error: 'no database' } } },
      'no database',
    ],
  ])('is refused, never taken for clean: %s %#', (format, body, reason) => {
    const { message } = refusalOf(body);

    expect(message).toContain(format);
    expect(message).toContain(reason);
  });
});

describe('a report without its findings', () => {
  it.each([
    ['npm audit', npmAudit({}, 4), 'its count of vulnerabilities is 4, but it lists none'],
    ['npm audit', npmAudit({ a: { via: [] } }, 0), 'its count of vulnerabilities is 1'],
    [
      'npm audit',
      npmAudit({ a: { via: ['b'] }, b: { via: ['a'] } }),
      'its count of vulnerabilities is 2, but it lists none',
    ],
    ['npm audit', npmAudit({ a: { via: ['b'] } }), 'a package is affected via b'],
    ['npm audit', npmAudit({ a: { via: ['toString'] } }), 'a package is affected via toString'],
    [
      'npm audit',
      npmAudit6({ vulnerabilities: { low: 1, high: 2 } }),
      'its count of vulnerabilities is 3, but it lists none',
    ],
    [
      'OSV-Scanner',
      osvScanner({ vulnerabilities: [], groups: [{ ids: ['CVE-1'], max_severity: '9.8' }] }),
      'results.0.packages.0.vulnerabilities must contain every vulnerability',
    ],
    [
      'OSV-Scanner',
      osvScanner({
        vulnerabilities: [{ id: 'CVE-1' }],
        groups: [{ ids: ['CVE-1'] }, { ids: ['CVE-2'] }],
      }),
      'results.0.packages.0.vulnerabilities must contain every vulnerability',
    ],
  ])('is refused, never taken for clean: %s %#', (format, body, reason) => {
    const { message } = refusalOf(body);

    expect(message).toContain(format);
    expect(message).toContain(reason);
  });
});

describe('a malformed report', () => {
  it.each([
    ['Trivy', { SchemaVersion: 1, Results: [] }, 'SchemaVersion must be 2'],
    [
      'Trivy',
      { SchemaVersion: 2, Results: [{ Vulnerabilities: [{ PkgName: 'a' }] }] },
      'Results.0.Vulnerabilities.0.VulnerabilityID is required',
    ],
    ['Trivy', { SchemaVersion: 2, Results: 'none' }, 'Results must be a list'],
    ['Grype', { descriptor: { name: 'grype' } }, 'matches is required'],
    ['Grype', { matches: null, descriptor: { name: 'grype' } }, 'matches must be a list'],
    ['Grype', { matches: [] }, 'descriptor is required'],
    [
      'Grype',
      {
        matches: [{ vulnerability: { id: ' ' }, artifact: { name: 'a' } }],
        descriptor: { name: 'grype' },
      },
      'matches.0.vulnerability.id must not be blank',
    ],
    ['OSV-Scanner', { results: null }, 'results must be a list'],
    ['OSV-Scanner', { results: [{}] }, 'results.0.packages is required'],
    [
      'OSV-Scanner',
      { results: [{ packages: [{ package: { name: 'a' }, vulnerabilities: [{}] }] }] },
      'results.0.packages.0.vulnerabilities.0.id is required',
    ],
    ['OSV-Scanner', { results: [] }, 'experimental_config is required where nothing was found'],
    [
      'OSV-Scanner',
      { results: [{ packages: [{ package: { name: 'a' } }] }] },
      'experimental_config is required where nothing was found',
    ],
    ['npm audit', { auditReportVersion: 3, vulnerabilities: {} }, 'auditReportVersion must be 2'],
    ['npm audit', { auditReportVersion: 2 }, 'vulnerabilities is required'],
    [
      'npm audit',
      { auditReportVersion: 2, vulnerabilities: { a: {} } },
      'vulnerabilities.a.via is required',
    ],
    [
      'npm audit',
      { auditReportVersion: 2, vulnerabilities: { a: { via: [7] } } },
      'vulnerabilities.a.via.0 must be an advisory',
    ],
    ['npm audit', { auditReportVersion: 2, vulnerabilities: {} }, 'metadata is required'],
    [
      'npm audit',
      { auditReportVersion: 2, vulnerabilities: {}, metadata: {} },
      'metadata.vulnerabilities is required; metadata.dependencies is required',
    ],
    ['npm audit', { advisories: [] }, 'advisories must be an object'],
    ['npm audit', { advisories: {} }, 'metadata is required'],
    [
      'npm audit',
      { advisories: {}, metadata: {} },
      'metadata.vulnerabilities is required; metadata.totalDependencies is required',
    ],
    [
      'pip-audit',
      { dependencies: [{ name: 'a', version: '1' }] },
      'dependencies.0.vulns is required',
    ],
    [
      'pip-audit',
      [{ name: 'a', version: '1', vulns: [{ id: 'PYSEC-1' }] }],
      'dependencies.0.vulns.0.fix_versions is required',
    ],
    [
      'CycloneDX',
      { bomFormat: 'CycloneDX', specVersion: '1.3', vulnerabilities: [{ id: 'CVE-1' }] },
      'specVersion must be one of 1.4, 1.5, 1.6, 1.7',
    ],
    [
      'CycloneDX',
      { bomFormat: 'CycloneDX', specVersion: '1.5', vulnerabilities: [{}] },
      'vulnerabilities.0.id is required',
    ],
    ['SARIF', { version: '2.0.0', runs: [] }, 'version must be 2.1.0'],
    [
      'SARIF',
      { version: '2.1.0', runs: [{ tool: { driver: { name: 'X' } } }] },
      'runs.0.results is required',
    ],
    [
      'Snyk',
      snyk({ vulnerabilities: [{ id: 'S-1' }] }),
      '0.vulnerabilities.0.severity is required',
    ],
    ['own format', { vulnerabilities: [] }, 'tool is required'],
    ['own format', { tool: 'review' }, 'vulnerabilities is required'],
    ['own format', { ...own(), status: 'passed' }, 'status is unknown'],
    ['own format', own({ ...valid, fixed: '1.0' }), 'vulnerabilities.0.fixed is unknown'],
    [
      'own format',
      own({ id: 'CVE-1' }),
      'vulnerabilities.0.severity is required where there is no cvss.vector',
    ],
    [
      'own format',
      own({ id: 'CVE-1', severity: 'HIGH' }),
      'vulnerabilities.0.severity must be one of critical, high, medium, low',
    ],
    [
      'own format',
      own({ id: 'CVE-1', cvss: { vector: 'AV:N' } }),
      'vulnerabilities.0.cvss.vector must be a CVSS vector',
    ],
    ['own format', own({ severity: 'low' }), 'vulnerabilities.0.id is required'],
    [
      'own format',
      own({ ...valid, id: 'x'.repeat(200) }),
      'vulnerabilities.0.id must be at most 128 characters',
    ],
  ])('of %s is refused for its fault: %j', (format, body, reason) => {
    const { message, parts } = refusalOf(body);

    expect(message).toContain(format);
    expect(message).toContain(reason);
    expect(parts.errors).not.toEqual([]);
  });

  it('lists five faults, not thousands', () => {
    const { parts } = refusalOf(own(...Array.from({ length: 9000 }, () => ({}))));

    expect(parts.errors).toHaveLength(5);
  });
});

it('shortens long field names', () => {
  const body = { auditReportVersion: 2, vulnerabilities: { ['x\n'.repeat(100_000)]: {} } };

  const { message, parts } = refusalOf(body);

  expect(message.length).toBeLessThan(500);
  expect(parts.errors?.[0]?.path).not.toContain('\n');
});

describe('a report above a limit', () => {
  const many = <T>(value: T, count = limits.findings + 1): T[] =>
    Array.from({ length: count }, () => value);
  const dictionary = Object.fromEntries(many(0).map((_, at) => [`p${at}`, { via: [] }]));

  it.each<[string, unknown, string]>([
    ['a list that is too long', own(...many(valid)), 'at most 10000 entries'],
    [
      'an object of too many names',
      { auditReportVersion: 2, vulnerabilities: dictionary },
      'at most 10000 entries',
    ],
    [
      'too many findings in all',
      {
        results: many(
          { packages: [{ package: { name: 'a' }, vulnerabilities: many({ id: 'CVE-1' }, 3000) }] },
          4,
        ),
      },
      'at most 10000 findings',
    ],
    [
      'too many tools',
      { tools_used: many('a', 11), vulnerabilities: [] },
      'tools_used must name at most 10 tools',
    ],
    [
      'too many tools of SARIF',
      {
        version: '2.1.0',
        runs: many(0, 11).map((_, at) => ({
          tool: { driver: { name: `t${at}`, rules: [rated] } },
          results: [],
        })),
      },
      'it must name at most 10 tools',
    ],
  ])('is refused: %s', (_, body, reason) => {
    expect(refusalOf(body).message).toContain(reason);
  });

  it('is refused if its findings are too large to store', () => {
    const vulnerabilities = Array.from({ length: 8000 }, (_, at) => ({
      id: `CVE-${at}`,
      severity: 'low',
      summary: 'x'.repeat(900),
    }));

    expect(refusalOf(own(...vulnerabilities)).code).toBe('body_too_large');
  });

  it('is refused if its findings are too large for an answer, though not to store', () => {
    const reported = Array.from({ length: 4000 }, (_, at) => ({
      id: `CVE-${at}`,
      severity: 'low',
      summary: '"'.repeat(500),
    }));
    const { length } = JSON.stringify(own(...reported));

    const { code, message } = refusalOf(own(...reported));

    expect(length).toBeLessThan(limits.resultBytes);
    expect(code).toBe('body_too_large');
    expect(message).toContain('must fit into 5500000 bytes of a response');
  });

  it('is refused if its vulnerabilities have too many ids in total', () => {
    const found = (count: number, aliasCount: number) =>
      own(
        ...Array.from({ length: count }, (_, at) => ({
          id: `CVE-${at}`,
          severity: 'low',
          aliases: Array.from({ length: aliasCount }, (__, alias) => `X-${at}-${alias}`),
        })),
      );

    const { code, message } = refusalOf(found(401, 49));

    expect(code).toBe('body_too_large');
    expect(message).toContain('have 20050 ids and aliases, but the maximum is 20000');
    expect(readReport(found(400, 49)).findings).toHaveLength(400);
  });

  it.each<[string, () => unknown]>([
    ['a million numbers', () => ({ matches: many(1, 1_000_000), descriptor: { name: 'grype' } })],
    [
      'a million names',
      () => ({
        auditReportVersion: 2,
        vulnerabilities: Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [at, 1])),
      }),
    ],
    [
      '300,000 small findings',
      () => ({
        results: many(
          {
            packages: many({ package: { name: 'a' }, vulnerabilities: many({ id: 'a' }, 30) }, 100),
          },
          100,
        ),
      }),
    ],
    ['one endless text', () => own({ ...valid, id: '\n(('.repeat(2_000_000) })],
    [
      'results without a rule',
      () => sarif([rated], many({ ruleId: ' ', message: { text: 'Package: '.repeat(30) } }, 9999)),
    ],
  ])('is refused fast: %s', (_, build) => {
    const body = build();

    expect(measureWork(() => refusalOf(body))).toBeLessThan(muchWork);
  });

  it('is read fast with very long texts', () => {
    const endless = '|| <= ('.repeat(500_000);
    const body = own({
      ...valid,
      summary: endless,
      affected_range: endless,
      references: [`https://${endless}`],
      source: endless,
    });

    let findings: readonly Finding[] = [];
    const work = measureWork(() => {
      findings = readReport(body).findings;
    });

    expect(work).toBeLessThan(muchWork);
    expect(JSON.stringify(findings).length).toBeLessThan(20_000);
  });

  it('is read fast with many results of one long rule', () => {
    const much = Array.from({ length: 9000 }, (_, at) => [
      `cvss${at}`,
      'AV:N/AC:L/Au:N/C:N/I:P/A:N',
    ]);
    const rule = {
      id: 'a',
      properties: { ...rated.properties, ...Object.fromEntries(much) },
      deprecatedIds: many('CVE-2020-1', 9000),
    };
    const body = sarif([rule], many({ ruleId: 'a' }, 10_000));

    let findings: readonly Finding[] = [];
    const work = measureWork(() => {
      findings = readReport(body).findings;
    });

    expect(work).toBeLessThan(muchWork);
    expect(findings).toHaveLength(1);
  });

  it('is read without its nesting', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];

    const report = exampleReport('npm-audit-clean') as object;

    expect(readReport({ ...report, extra: nested }).findings).toEqual([]);
  });
});

it('protects prototypes from the names of a report', () => {
  const vulnerabilities: object = JSON.parse(
    '{"__proto__": {"via": ["x"]}, "constructor": {"via": ["x"]}, "x": {"via": [{"source": 1, "name": "x", "severity": "low"}]}}',
  );

  const { findings } = readReport(npmAudit(vulnerabilities));

  expect(findings).toMatchObject([{ id: 'npm-1' }]);
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect({}).not.toHaveProperty('via');
});

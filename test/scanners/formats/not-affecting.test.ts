import { describe, expect, it } from 'vitest';
import type { Vulnerability } from '../../../shared/domain/vulnerabilities/vulnerability.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { snyk } from './made.ts';

const readOne = (body: unknown): Vulnerability | undefined => readReport(body).findings[0];

const grypeVulnerability = { id: 'CVE-2026-1', severity: 'High' };
const grypeMatch = (vulnerability: object = {}, match: object = {}) => ({
  vulnerability: { ...grypeVulnerability, ...vulnerability },
  artifact: { name: 'zlib', version: '1.3' },
  ...match,
});
const grype = (matches: readonly object[], ignoredMatches: readonly object[] = []) => ({
  matches,
  ignoredMatches,
  descriptor: { name: 'grype' },
});
const grypeIgnored = (...appliedIgnoreRules: readonly object[]) =>
  grype([], [grypeMatch({}, { appliedIgnoreRules })]);

const trivyVulnerability = { VulnerabilityID: 'CVE-2026-1', PkgName: 'zlib', Severity: 'HIGH' };
const trivy = (result: object) => ({
  SchemaVersion: 2,
  Results: [{ Target: 'app', Class: 'os-pkgs', ...result }],
});
const trivySuppressed = (suppressed: object) =>
  trivy({
    ExperimentalModifiedFindings: [
      { Type: 'vulnerability', Finding: trivyVulnerability, ...suppressed },
    ],
  });

const osvScanner = (group: object, ids = ['GO-2026-1']) => ({
  results: [
    {
      packages: [
        {
          package: { name: 'stdlib', version: '1.20', ecosystem: 'Go' },
          vulnerabilities: ids.map((id) => ({ id, aliases: ids })),
          groups: [{ ids, ...group }],
        },
      ],
    },
  ],
});

const cycloneDx = (analysis: object) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { tools: [{ name: 'A Scanner' }] },
  vulnerabilities: [{ id: 'CVE-2026-1', ratings: [{ severity: 'high' }], analysis }],
});

const snykIssue = (issue: object) =>
  snyk({ vulnerabilities: [{ id: 'SNYK-1', severity: 'high', ...issue }] });

const own = (vulnerability: object) => ({
  tool: 'review',
  vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high', ...vulnerability }],
});

describe('what does no harm', () => {
  it.each<[string, unknown, string, string]>([
    [
      'OSV-Scanner that nothing calls it',
      osvScanner({ experimental_analysis: { 'GO-2026-1': { called: false, unimportant: false } } }),
      'osv-scanner',
      'its code is not called',
    ],
    [
      'OSV-Scanner 1 that nothing calls it',
      osvScanner({ experimentalAnalysis: { 'GO-2026-1': { called: false } } }),
      'osv-scanner',
      'its code is not called',
    ],
    [
      'OSV-Scanner that its distribution does not mind',
      osvScanner({ experimental_analysis: { 'GO-2026-1': { called: true, unimportant: true } } }),
      'osv-scanner',
      'unimportant',
    ],
    [
      'CycloneDX by its analysis',
      cycloneDx({ state: 'not_affected', justification: 'code_not_reachable', detail: 'Unused.' }),
      'a scanner',
      'not_affected: code_not_reachable: Unused.',
    ],
    ['CycloneDX alone', cycloneDx({ state: 'false_positive' }), 'a scanner', 'false_positive'],
    [
      'Grype after a VEX document',
      grypeIgnored({
        namespace: 'vex',
        'vex-status': 'not_affected',
        'vex-justification': 'vulnerable_code_not_present',
      }),
      'grype',
      'not_affected: vulnerable_code_not_present',
    ],
    [
      'Trivy after a VEX document',
      trivySuppressed({
        Status: 'not_affected',
        Statement: 'vulnerable_code_not_in_execute_path',
        Source: 'openvex.json',
      }),
      'trivy',
      'not_affected: vulnerable_code_not_in_execute_path',
    ],
    [
      'Trivy by its status',
      trivy({ Vulnerabilities: [{ ...trivyVulnerability, Status: 'not_affected' }] }),
      'trivy',
      'not_affected',
    ],
    // The one word for it of Snyk's CLI, 1.500 to 1.894 (src/lib/snyk-test/legacy.ts).
    ['Snyk', snykIssue({ reachability: 'not-reachable' }), 'snyk', 'not-reachable'],
    ['our own format', own({ not_affecting: { reason: 'Unused.' } }), 'review', 'Unused.'],
  ])('is kept as %s says it', (_, body, by, reason) => {
    expect(readOne(body)?.not_affecting).toEqual({ by, reason });
  });

  it.each<[string, unknown]>([
    [
      'is called by one id of several',
      osvScanner(
        {
          experimental_analysis: {
            'GO-2026-1': { called: false },
            'GO-2026-2': { called: true, unimportant: false },
          },
        },
        ['GO-2026-1', 'GO-2026-2'],
      ),
    ],
    ['is analysed in words', osvScanner({ experimental_analysis: 'not called' })],
    ['nobody analysed', osvScanner({ experimental_analysis: {} })],
    ['is in triage', cycloneDx({ state: 'in_triage' })],
    // The last word is of a sample of snyk-to-html, the others are of Snyk's CLI: 1.500 to 1.894, and its help.
    ['Snyk calls by its package', snykIssue({ reachability: 'package' })],
    ['Snyk knows nothing of', snykIssue({ reachability: 'no-info' })],
    ['Snyk could not look for', snykIssue({ reachability: 'not-applicable' })],
    ['Snyk found no way to', snykIssue({ reachability: 'no-path-found' })],
    ['Trivy calls affected', trivy({ Vulnerabilities: [trivyVulnerability] })],
  ])('is not what %s', (_, body) => {
    expect(readOne(body)).toMatchObject({ not_affecting: null });
  });

  it.each<[string, unknown]>([
    ['Grype', grypeIgnored({ vulnerability: 'CVE-2026-1', reason: 'we accept it' })],
    ['Trivy', trivySuppressed({ Status: 'ignored', Source: '.trivyignore' })],
    ['Trivy, of other kinds', trivySuppressed({ Type: 'secret', Finding: { RuleID: 'x' } })],
  ])('is not what somebody did not want to see: %s', (_, body) => {
    expect(readReport(body).findings).toEqual([]);
  });
});

describe('what is known beside the severity', () => {
  it('is read of Grype, also of the related vulnerability', () => {
    const knownExploited = [{ cve: 'CVE-2026-1', dateAdded: '2026-04-01' }];
    const related = { id: 'CVE-2026-1', knownExploited, epss: [{ epss: 0.99927 }] };
    const match = grypeMatch(
      { id: 'GHSA-1', epss: [{ epss: 0.5 }, { epss: null }], fix: { state: 'wont-fix' } },
      { relatedVulnerabilities: [related] },
    );

    expect(readOne(grype([match]))).toMatchObject({
      known_exploited: true,
      epss: 0.99927,
      fix_state: 'wont-fix',
    });
    expect(readOne(grype([grypeMatch({ knownExploited: [], epss: [] })]))).toMatchObject({
      known_exploited: false,
      epss: null,
      fix_state: null,
    });
  });

  it('is read of Trivy: the status', () => {
    const vulnerability = { ...trivyVulnerability, Status: 'will_not_fix' };

    expect(readOne(trivy({ Vulnerabilities: [vulnerability] }))?.fix_state).toBe('will_not_fix');
  });

  it.each<[unknown, number | null]>([
    [{ probability: '0.13769', percentile: '0.93995' }, 0.13769],
    [{ probability: 0.5 }, 0.5],
    [{ probability: 'high' }, null],
    [{ probability: '1.5' }, null],
    [{}, null],
    ['none', null],
  ])('is read of Snyk: the probability in %j', (epssDetails, epss) => {
    expect(readOne(snykIssue({ epssDetails }))?.epss).toBe(epss);
  });

  /** As Grype writes it since 0.96.0 (`generateCDXRatings`); the schema has no such method, but an other one. */
  const epss = { source: { name: 'FIRST' }, method: 'EPSS', score: 0.42 };

  it.each([
    ['a method of that name', epss],
    ['an other method by its name', { source: { name: 'EPSS' }, method: 'other', score: 0.42 }],
  ])('is read of CycloneDX: the probability as a rating by %s', (_, rating) => {
    const body = cycloneDx({});
    const other = { severity: 'high', method: 'other', score: 0.9 };

    const vulnerabilities = [{ id: 'CVE-2026-1', ratings: [other, rating] }];

    expect(readOne({ ...body, vulnerabilities })).toMatchObject({
      severity: 'high',
      epss: 0.42,
      known_exploited: false,
    });
  });

  it('is read of CycloneDX: that it is in the catalogue of CISA, as Grype writes it', () => {
    const kev = { source: { name: 'CISA KEV Catalog' }, method: 'other', score: 1 };
    const vulnerabilities = [{ id: 'CVE-2026-1', ratings: [{ severity: 'low' }, epss, kev] }];

    expect(readOne({ ...cycloneDx({}), vulnerabilities })).toMatchObject({
      severity: 'low',
      epss: 0.42,
      known_exploited: true,
    });
  });

  it('is read of our own format, which takes what a scan result shows', () => {
    const vulnerability = readOne(
      own({ known_exploited: true, epss: 0.1, fix_state: 'fixed', severity: 'unrated' }),
    );

    expect(vulnerability).toMatchObject({
      severity: 'unrated',
      known_exploited: true,
      epss: 0.1,
      fix_state: 'fixed',
    });
    expect(readReport({ tool: 'review', vulnerabilities: [vulnerability] }).findings).toEqual([
      vulnerability,
    ]);
  });
});

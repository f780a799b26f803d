import { describe, expect, it } from 'vitest';
import { condenseReport } from '../../../shared/scanners/formats/condense-report.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport, exampleReports } from './example.ts';
import { sarif } from './made.ts';
import { refusalOf } from './refusal.ts';

const enough = 4 * 1024 * 1024;

/** What a request carries of a report. */
const sent = (body: unknown, maxBytes = enough): Record<string, unknown> =>
  JSON.parse(JSON.stringify(condenseReport(body, maxBytes).report));

const trivy = () => sent(exampleReport('trivy-image'));

describe('what was read of a report', () => {
  it.each(exampleReports)('says what the report says: %s', (name) => {
    const report = exampleReport(name);

    expect(readReport(sent(report))).toEqual(readReport(report));
    expect(sent(sent(report))).toEqual(sent(report));
  });

  it('leaves out prose, and nothing else, where all of it is too long', () => {
    const report = exampleReport('trivy-image');
    const { findings, ...others } = readReport(report);

    const { report: short, isShortened } = condenseReport(
      report,
      JSON.stringify(trivy()).length - 1,
    );

    expect(isShortened).toBe(true);
    expect(readReport(short)).toEqual({
      ...others,
      findings: findings.map((finding) => ({ ...finding, summary: '', references: [] })),
    });
  });

  it('is refused where that does not help, with what to do', () => {
    expect(() => condenseReport(exampleReport('trivy-image'), 1000)).toThrow(
      /^body: is too large, even without .* do not fit into 1000 bytes; configure the scanner to report only the worst/,
    );
  });

  it.each<[string, object, RegExp]>([
    ['of another release', { registry_report: 2 }, /registry_report must be 1; use the command/],
    ['of no known format', { format: 'x' }, /its format must be one of trivy, grype, .*, own$/],
    ['of itself', { format: 'registry_report' }, /its format must be one of/],
    ['with another tool', { tools: ['grype'] }, /its tools must be trivy alone/],
    ['with a tool more', { tools: ['trivy', 'x'] }, /its tools must be trivy alone/],
    [
      'of CycloneDX, and of nothing found',
      { format: 'cyclonedx', findings: [] },
      /must have findings/,
    ],
    ['without a tool', { tools: [] }, /tools must contain 1 to 10 tools/],
    ['without findings', { findings: undefined }, /findings is required/],
    ['with a field more', { Results: [] }, /Results is unknown/],
    ['with a bad finding', { findings: [{ id: ' ', severity: 'high' }] }, /findings.0.id must not/],
    ['with a bad subject', { subjects: [{ kind: 'file' }] }, /subjects.0.kind /],
  ])('is refused %s', (_, change, message) => {
    expect(refusalOf({ ...trivy(), ...change }).message).toMatch(message);
  });

  it('compares what it looked at, and drops what names nothing', () => {
    const names = ['nginx:1.27', '\u0000', './folder'];
    const subjects = [
      { kind: 'image', names },
      { kind: 'purl', purl: 'x' },
    ];

    expect(readReport({ ...trivy(), subjects }).subjects).toEqual([
      { kind: 'image', names: ['nginx:1.27'] },
    ]);
  });

  it.each([
    ['sarif', 'osv.dev'],
    ['own', 'osv.dev'],
    ['own', 'trivy'],
    ['own', 'NPM-audit'],
  ])('names no tool that %s must not: %s', (format, tool) => {
    expect(refusalOf({ ...trivy(), format, tools: [tool] }).code).toBe('reserved_tool');
  });

  it('has nothing called harmless by a tool that findings of our own must not name', () => {
    const findings = [
      { id: 'CVE-1', severity: 'high', not_affecting: { by: 'grype', reason: 'x' } },
    ];

    expect(refusalOf({ ...trivy(), format: 'own', tools: ['x'], findings }).code).toBe(
      'reserved_tool',
    );
  });

  it('is by the tools that the report named, where its format has it name them', () => {
    const report = sarif([], [], {
      tool: {
        driver: {
          name: 'Trivy',
          rules: [{ id: 'CVE-1', properties: { 'security-severity': '9.8' } }],
        },
      },
    });

    expect(readReport(sent(report)).tools).toEqual(['trivy']);
  });
});

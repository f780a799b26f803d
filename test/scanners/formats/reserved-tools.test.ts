import { describe, expect, it } from 'vitest';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { rated, sarif } from './made.ts';
import { refusalOf } from './refusal.ts';

const own = (...tools_used: readonly string[]) => ({ tools_used, vulnerabilities: [] });
const sarifBy = (name: string) => sarif([], [], { tool: { driver: { name, rules: [rated] } } });
const cycloneDxBy = (name: string) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { tools: { components: [{ name }] } },
  vulnerabilities: [{ id: 'CVE-2026-1' }],
});

describe('manually written findings', () => {
  it.each([
    'trivy',
    'grype',
    'osv-scanner',
    'npm audit',
    'npm-audit',
    'npm',
    'pnpm',
    'pip-audit',
    'snyk',
    'cyclonedx',
    'sarif',
    'osv.dev',
    'Trivy',
    '  TRIVY ',
    'ｔｒｉｖｙ',
    'OSV Scanner',
    'pip_audit',
    'OSV.dev',
  ])('are not accepted as a report by %j', (name) => {
    const { code, message } = refusalOf(own('review', name));

    expect(code).toBe('reserved_tool');
    expect(message).toContain(`names the tool ${name.trim()}`);
  });

  it('are refused with a hint what to send instead', () => {
    expect(refusalOf({ tool: 'trivy', vulnerabilities: [] }).message).toBe(
      'body: names the tool trivy, whose reports are supported; send a report of Trivy (trivy --format json, schema version 2), or name the tool that found this',
    );
  });

  it('must not call a vulnerability harmless in the name of a known tool', () => {
    const not_affecting = { by: 'Grype', reason: 'It says so.' };
    const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'high', not_affecting }];

    expect(refusalOf({ tool: 'review', vulnerabilities }).code).toBe('reserved_tool');
  });

  it.each(['review', 'trivy-operator', 'osv', 'a scanner'])('may be by %s', (name) => {
    expect(readReport(own(name)).tools).toEqual([name]);
  });
});

it.each<[string, (name: string) => unknown]>([
  ['SARIF', sarifBy],
  ['CycloneDX', cycloneDxBy],
])("accepts %s by any tool except the registry's own scanner", (_, reportBy) => {
  expect(readReport(reportBy('Trivy')).tools).toEqual(['trivy']);
  expect(refusalOf(reportBy(' OSV.dev')).code).toBe('reserved_tool');
});

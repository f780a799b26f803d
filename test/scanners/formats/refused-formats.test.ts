import { describe, expect, it } from 'vitest';
import { rated, sarif, snyk } from './made.ts';
import { refusalOf } from './refusal.ts';

describe('a document that does not say whether anybody looked for vulnerabilities', () => {
  it.each<[string, unknown, string]>([
    ['a CycloneDX', { bomFormat: 'CycloneDX', specVersion: '1.2', components: [] }, 'trivy sbom'],
    [
      'a CycloneDX',
      { bomFormat: 'CycloneDX', specVersion: '1.5', components: [], vulnerabilities: [] },
      'tells of no vulnerabilities, nor whether anybody looked for them; send what a scanner finds',
    ],
    ['a SARIF', sarif([]), 'no rule of it has a security-severity'],
    [
      'a SARIF',
      { $schema: 'x/sarif-2.1.0.json', version: '2.1.0', runs: [] },
      "scanner's own JSON",
    ],
    [
      'a SARIF',
      sarif([{ id: 'no-var' }], [{ ruleId: 'no-var', message: { text: 'no' } }]),
      'no rule of it has a security-severity',
    ],
    [
      'a SARIF',
      sarif([rated], [], { invocations: [{ executionSuccessful: false }] }),
      'it says that the scan failed',
    ],
    ['Snyk', snyk({ dependencyCount: 0 }), 'looked at no dependency'],
    ['Snyk', [snyk({ dependencyCount: 0 })], 'looked at no dependency'],
    ['Snyk', { ok: false, error: 'No supported files', path: '/x' }, 'failed: No supported files'],
    ['Snyk', [snyk({}), { ok: false, error: 'Timeout' }], 'failed: Timeout'],
  ])('is refused, never taken for clean: %s %#', (format, body, reason) => {
    const { message } = refusalOf(body);

    expect(message).toContain(format);
    expect(message).toContain(reason);
  });
});

describe('a format that is known and not read', () => {
  it.each<[string, object, string]>([
    ['an SPDX document', { spdxVersion: 'SPDX-2.3', packages: [] }, 'trivy sbom'],
    [
      'an SPDX document',
      { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] },
      'grype sbom:FILE',
    ],
    [
      "GitLab's security report",
      { version: '15.0.0', vulnerabilities: [], scan: { type: 'dependency_scanning' } },
      'send what the scanner writes by itself',
    ],
    [
      "GitLab's security report",
      { version: '2.0', vulnerabilities: [], remediations: [] },
      'that format is not read',
    ],
    [
      'a report of Dependency-Check',
      { reportSchema: '1.1', scanInfo: {}, projectInfo: {}, dependencies: [] },
      'scan with Trivy, Grype or OSV-Scanner',
    ],
  ])('is refused by its name, with what to send: %s %#', (name, body, advice) => {
    const { message } = refusalOf(body);

    expect(message).toContain(`looks like ${name}, but`);
    expect(message).toContain(advice);
  });
});

it('refuses what Snyk counts and does not tell of', () => {
  expect(refusalOf(snyk({ uniqueCount: 3 })).message).toContain(
    'its count of vulnerabilities is 3, and it tells of none',
  );
});

import { describe, expect, it } from 'vitest';
import { rated, sarif, snyk } from './made.ts';
import { refusalOf } from './refusal.ts';

describe('a document that does not say whether anybody looked for vulnerabilities', () => {
  it.each<[string, unknown, string]>([
    ['a CycloneDX', { bomFormat: 'CycloneDX', specVersion: '1.2', components: [] }, 'trivy sbom'],
    [
      'a CycloneDX',
      { bomFormat: 'CycloneDX', specVersion: '1.5', components: [], vulnerabilities: [] },
      'lists no vulnerabilities, and does not say whether it was scanned; send the report of a scanner',
    ],
    ['a SARIF', sarif([]), 'none of its rules has a security-severity'],
    [
      'a SARIF',
      { $schema: 'x/sarif-2.1.0.json', version: '2.1.0', runs: [] },
      "scanner's own JSON",
    ],
    [
      'a SARIF',
      sarif([{ id: 'no-var' }], [{ ruleId: 'no-var', message: { text: 'no' } }]),
      'none of its rules has a security-severity',
    ],
    [
      'a SARIF',
      sarif([rated], [], { invocations: [{ executionSuccessful: false }] }),
      'the scan failed according to the report',
    ],
    ['Snyk', snyk({ dependencyCount: 0 }), 'covers no dependencies'],
    ['Snyk', [snyk({ dependencyCount: 0 })], 'covers no dependencies'],
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
      'send the report of the scanner in its own format',
    ],
    [
      "GitLab's security report",
      { version: '2.0', vulnerabilities: [], remediations: [] },
      'that format is not supported',
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
    'its count of vulnerabilities is 3, but it lists none',
  );
});

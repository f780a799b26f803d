import { isObject } from '../../util/json.ts';
import { refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const refused = (
  title: string,
  advice: string,
  recognises: ReportFormat['recognises'],
): ReportFormat => ({
  title,
  tools: [],
  recognises,
  read: () => {
    throw refuse(title, advice);
  },
});

/** Advice for an SBOM without vulnerabilities. */
export const scanTheList =
  'send the report of a scanner on it (trivy sbom --format json FILE, or grype sbom:FILE -o json)';

const namesSpdx = (context: unknown): boolean =>
  [context].flat().some((part) => typeof part === 'string' && part.includes('spdx.org/rdf'));

/** Known but unsupported formats. Each error message names a supported alternative. */
export const unsupportedFormats: readonly ReportFormat[] = [
  refused(
    'an SPDX document',
    `that format is not supported for vulnerabilities; ${scanTheList}`,
    (body) => 'spdxVersion' in body || namesSpdx(body['@context']),
  ),
  refused(
    "GitLab's security report",
    'that format is not supported; send the report of the scanner in its own format (trivy --format json, or grype -o json)',
    (body) =>
      'vulnerabilities' in body &&
      (isObject(body['scan']) || 'remediations' in body || 'dependency_files' in body),
  ),
  refused(
    'a report of Dependency-Check',
    'that format is not supported; scan with Trivy, Grype or OSV-Scanner, and send the JSON report',
    (body) => isObject(body['scanInfo']) || isObject(body['projectInfo']),
  ),
];

import { measureAnswer } from '../../domain/answer-size.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { mergeVulnerabilities } from '../../domain/vulnerabilities/merge-vulnerabilities.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import type { Subject } from '../../domain/vulnerabilities/subject.ts';
import { countIds } from '../../domain/vulnerabilities/surplus-ids.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { findHiddenFault, hasControlCharacters } from '../../util/characters.ts';
import { isObject } from '../../util/json.ts';
import { refuse } from './checked.ts';
import { condensed } from './condensed.ts';
import { cycloneDx } from './cyclonedx.ts';
import { grype } from './grype.ts';
import { npmAudit } from './npm-audit.ts';
import { osvScanner } from './osv-scanner.ts';
import { isBareList, pipAudit } from './pip-audit.ts';
import { own } from './registry-report.ts';
import type { ReportContent, ReportFormat, Skipped } from './report-format.ts';
import { checkFreeNames, checkOwnTool } from './reserved-tools.ts';
import { sarif } from './sarif.ts';
import { isProjectList, snyk } from './snyk.ts';
import { trivy } from './trivy.ts';
import { unsupportedFormats } from './unsupported.ts';

/** Supported formats, the most distinctive first. The registry's own format shares a field with npm's. */
const formats: readonly ReportFormat[] = [
  condensed,
  trivy,
  grype,
  cycloneDx,
  sarif,
  snyk,
  npmAudit,
  pipAudit,
  osvScanner,
  own,
];

/** Parsed scan report with merged findings. */
export interface ScanReport {
  tools: string[];
  /** Scanned objects; empty if the report does not name them. */
  subjects: readonly Subject[];
  findings: Vulnerability[];
  /** Skipped components; empty for a complete scan. */
  skipped: readonly Skipped[];
}

const findFormat = (body: unknown): ReportFormat => {
  if (isProjectList(body)) return snyk;
  if (isBareList(body)) return pipAudit;
  const known = [...unsupportedFormats, ...formats];
  const format = isObject(body) && known.find(({ recognises }) => recognises(body));
  if (format) return format;
  const titles = formats.map(({ title }) => title).join('; ');
  throw refuseInvalid('body', `is not a report of a supported format; supported are: ${titles}`);
};

/** Checks that names contain no control or invisible characters, since people search and compare them. */
const checkNames = (what: string, names: readonly string[]): void => {
  for (const name of names) {
    const fault = hasControlCharacters(name)
      ? 'must not contain control characters'
      : findHiddenFault(name);
    if (fault) throw refuseInvalid('body', `has ${what} that ${fault}`);
  }
};

/** Returns the tools of the report and those of its not-affected statements. */
const listNamedTools = ({ tools, findings }: ReportContent): string[] => [
  ...new Set([...tools, ...findings.flatMap(({ not_affecting }) => not_affecting?.by ?? [])]),
];

/** True if the findings fit into one response. */
export const fitsAnswer = (findings: readonly Vulnerability[]): boolean =>
  measureAnswer(findings) <= limits.resultBytes;

/** Returns the name of a format in condensed reports. */
const nameFormat = ({ tools }: ReportFormat): string => tools[0] ?? 'own';

/** Returns the format whose rules apply: for a condensed report, its original format. */
const findSource = (
  format: ReportFormat,
  { readFrom, tools, findings }: ReportContent,
): ReportFormat => {
  if (readFrom === undefined) return format;
  const source = formats.find((one) => one !== condensed && nameFormat(one) === readFrom);
  if (!source) {
    const names = formats.filter((one) => one !== condensed).map(nameFormat);
    throw refuse(format.title, `its format must be one of ${names.join(', ')}`);
  }
  if (!source.namesTools && (tools.length > 1 || tools[0] !== source.tools[0])) {
    throw refuse(
      format.title,
      `its tools must be ${source.tools[0]} alone, as its format requires`,
    );
  }
  if (source === cycloneDx && findings.length === 0) {
    throw refuse(format.title, 'a report from CycloneDX must have findings');
  }
  return source;
};

/** Parsed report of any size with the name of its format. */
export interface WholeReport extends ScanReport {
  format: string;
}

/** Parses a report without size limits. See `readReport`. */
export const readWholeReport = (body: unknown): WholeReport => {
  const format = findFormat(body);
  const content = format.read(body);
  const source = findSource(format, content);
  const findings = mergeVulnerabilities(content.findings);
  const named = listNamedTools(content);
  checkNames('a tool', named);
  checkOwnTool(named);
  if (source === own) checkFreeNames(named, formats);
  checkNames(
    'an id',
    findings.flatMap(({ id, aliases }) => [id, ...aliases]),
  );
  const { tools, subjects = [], skipped = [] } = content;
  return { format: nameFormat(source), tools: [...tools], subjects, findings, skipped };
};

/**
 * Parses a scanner's report, or one in the registry's own format. The format is detected from the content.
 * @throws {RegistryError} 400 for an unknown format, a malformed or too large report, a failed scan, or a report that
 * covers nothing
 */
export const readReport = (body: unknown): ScanReport => {
  const { tools, subjects, findings, skipped } = readWholeReport(body);
  if (!fitsAnswer(findings)) {
    const message = `is too large: its findings must fit into ${limits.resultBytes} bytes of a response`;
    throw refuseInvalid('body', message, 'body_too_large');
  }
  const idCount = countIds(findings);
  if (idCount > limits.ids) {
    const message = `has too many ids: the findings have ${idCount} ids and aliases, but the maximum is ${limits.ids}; remove aliases, or report only the worst vulnerabilities`;
    throw refuseInvalid('body', message, 'body_too_large');
  }
  return { tools, subjects, findings, skipped };
};

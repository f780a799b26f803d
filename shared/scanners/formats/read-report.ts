import { measureAnswer } from '../../domain/answer-size.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { mergeFindings } from '../../domain/vulnerabilities/merge-vulnerabilities.ts';
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

/** The formats, the least mistakable first: our own shares a field with that of npm. */
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

/** What a report says: the tools that wrote it, what they looked at, and one entry for each vulnerability they found. */
export interface ScanReport {
  tools: string[];
  /** None where the report does not say. */
  subjects: readonly Subject[];
  findings: Vulnerability[];
  /** What the scanner left out; nothing where it looked at everything. */
  skipped: readonly Skipped[];
}

const findFormat = (body: unknown): ReportFormat => {
  if (isProjectList(body)) return snyk;
  if (isBareList(body)) return pipAudit;
  const known = [...unsupportedFormats, ...formats];
  const format = isObject(body) && known.find(({ recognises }) => recognises(body));
  if (format) return format;
  const titles = formats.map(({ title }) => title).join('; ');
  throw refuseInvalid('body', `is no report of a known format; there are: ${titles}`);
};

/** What people search for and compare: none may look like another one. */
const checkNames = (what: string, names: readonly string[]): void => {
  for (const name of names) {
    const fault = hasControlCharacters(name)
      ? 'must not contain control characters'
      : findHiddenFault(name);
    if (fault) throw refuseInvalid('body', `has ${what} that ${fault}`);
  }
};

/** Those that found something, and those that say of something found that it does no harm. */
const listNamedTools = ({ tools, findings }: ReportContent): string[] => [
  ...new Set([...tools, ...findings.flatMap(({ not_affecting }) => not_affecting?.by ?? [])]),
];

/** Whether what a report found can be shown in one answer. */
export const fitsAnswer = (findings: readonly Vulnerability[]): boolean =>
  measureAnswer(findings) <= limits.resultBytes;

/** How a format is called where a report says what it was read from. */
const nameFormat = ({ tools }: ReportFormat): string => tools[0] ?? 'own';

/** The format whose rules a report goes by: the one that it was read from first, which it must be able to be of. */
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
    throw refuse(format.title, `its tools must be ${source.tools[0]} alone, as its format says`);
  }
  if (source === cycloneDx && findings.length === 0) {
    throw refuse(format.title, 'what was read from CycloneDX must have findings');
  }
  return source;
};

/** A report as it was read, of any length, and the name of its format. */
export interface WholeReport extends ScanReport {
  format: string;
}

/** Reads a report as `readReport` does, however much it says. */
export const readWholeReport = (body: unknown): WholeReport => {
  const format = findFormat(body);
  const content = format.read(body);
  const source = findSource(format, content);
  const findings = mergeFindings(content.findings);
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
 * Reads the report of a scanner, or our own format, recognised by its content. Throws a 400 that says which format it
 * was taken for and what is wrong, or which formats there are. A report that failed or covers nothing is refused.
 */
export const readReport = (body: unknown): ScanReport => {
  const { tools, subjects, findings, skipped } = readWholeReport(body);
  if (!fitsAnswer(findings)) {
    const message = `says too much: what it found must fit in ${limits.resultBytes} bytes of an answer`;
    throw refuseInvalid('body', message, 'body_too_large');
  }
  const idCount = countIds(findings);
  if (idCount > limits.ids) {
    const message = `names too many ids: what it found has ${idCount} ids and aliases together, and may have ${limits.ids}; leave out aliases, or report the worse vulnerabilities alone`;
    throw refuseInvalid('body', message, 'body_too_large');
  }
  return { tools, subjects, findings, skipped };
};

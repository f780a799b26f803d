import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { formatSeverityCounts } from '../../shared/domain/vulnerabilities/severity-counts.ts';
import { formatTable } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine, wrap } from '../output/text.ts';
import { colourValue } from '../output/values.ts';
import { isUnfinished, nameScanned } from './unscanned.ts';

type Tool = ScanResult['tools'][number];
type Vulnerability = ScanResult['vulnerabilities'][number];

/** Formats a time in UTC to the minute, which fits into two short lines of a cell. */
export const toMinutes = (at: string): string => at.replace('T', ' ').slice(0, 16);

/** Groups vulnerabilities into open, accepted and not affecting ones, each in their order. */
const groupVulnerabilities = (vulnerabilities: readonly Vulnerability[]) => {
  const affecting = vulnerabilities.filter((one) => !one.not_affecting);
  return {
    open: affecting.filter(({ accepted }) => !accepted),
    accepted: affecting.filter((one) => one.accepted),
    notAffecting: vulnerabilities.filter((one) => one.not_affecting),
  };
};

/** Describes a scan in one line: `failed: 1 critical, 2 high, 1 accepted`. */
export const describeScan = (scan: ScanResult): string => {
  if (isUnfinished(scan)) return `${scan.status}: vulnerabilities not known`;
  const { accepted, notAffecting } = groupVulnerabilities(scan.vulnerabilities);
  const parts = [
    formatSeverityCounts(scan.severity) || 'no open vulnerabilities',
    ...(accepted.length > 0 ? [`${accepted.length} accepted`] : []),
    ...(notAffecting.length > 0 ? [`${notAffecting.length} not affecting`] : []),
  ];
  return `${scan.status}: ${parts.join(', ')}`;
};

/** Names a tool, and the token that sent its scans. */
export const nameTool = ({ tool, label }: Pick<Tool, 'tool' | 'label'>): string =>
  label === null ? tool : `${tool} (token ${label})`;

/** Returns whether an earlier scan of a tool has findings that still count, although its last scan failed. */
const hasFound = ({ tool }: Tool, { vulnerabilities }: ScanResult): boolean =>
  vulnerabilities.some(({ found_by }) => found_by.includes(tool));

/** Describes the findings of a tool. The zeros of a failed scan mean nothing. */
const describeFound = (tool: Tool, scan: ScanResult): string => {
  if (isUnfinished(tool) && !hasFound(tool, scan)) return 'not known';
  return formatSeverityCounts(tool.severity) || 'nothing';
};

const presentTool = (tool: Tool, scan: ScanResult) => ({
  tool: tool.tool,
  token: tool.label,
  scan: tool.number,
  status: tool.status,
  scanned_utc: toMinutes(tool.scan_date),
  confirmed_utc: tool.confirmed_at && toMinutes(tool.confirmed_at),
  found: describeFound(tool, scan),
});

/** Returns the columns that have a value in some row. */
const chooseColumns = (rows: readonly object[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) => (value === null || value === '' ? [] : name)),
    ),
  ),
];

/** The columns that a narrow terminal leaves out. */
const droppable = ['token', 'scan', 'confirmed_utc', 'found_by', 'package'];

const formatSection = (title: string, rows: readonly object[], output: Output): string[] => {
  if (rows.length === 0) return [];
  const [first = {}] = rows;
  const filled = chooseColumns(rows);
  const columns = Object.keys(first).filter((name) => filled.includes(name));
  const table = formatTable(
    rows.map((row) => ({ ...row })),
    output,
    columns,
    droppable,
  );
  return ['', output.style('bold', title), ...table];
};

/** Returns the notes below the table of tools. */
const listNotes = (scan: ScanResult): string[] =>
  scan.tools.flatMap((tool) => {
    const failed = `The last scan by ${nameTool(tool)} ended with an error: ${tool.reason}.`;
    const before = hasFound(tool, scan) ? ' Its earlier findings still count.' : '';
    return [
      ...(tool.status === 'error' ? [`${failed.replace(/\.\.$/, '.')}${before}`] : []),
      ...(tool.status !== 'error' && tool.reason !== null
        ? [`The scan by ${nameTool(tool)}: ${tool.reason}`]
        : []),
      ...(tool.forced
        ? [`The report by ${nameTool(tool)} names another image, package or version.`]
        : []),
    ];
  });

const nameVulnerability = ({ id, known_exploited }: Vulnerability): string =>
  known_exploited ? `${id} (exploited)` : id;

/** Names the vulnerable components; null if the vulnerability is in the package itself. */
const nameComponents = ({ components }: Vulnerability): readonly string[] | null =>
  components.length > 0 ? components : null;

const presentOpen = (one: Vulnerability) => ({
  severity: one.severity,
  id: nameVulnerability(one),
  package: nameComponents(one),
  fixed_in: one.fixed_versions,
  found_by: one.found_by,
  summary: one.summary,
});

const presentAccepted = (one: Vulnerability) => ({
  severity: one.severity,
  id: nameVulnerability(one),
  package: nameComponents(one),
  until_utc: one.accepted && toMinutes(one.accepted.until),
  by: one.accepted?.by ?? null,
  why: one.accepted?.reason ?? null,
});

/** Leaves out the severity: a critical vulnerability that does not affect the version is no alarm. */
const presentNotAffecting = (one: Vulnerability) => ({
  id: one.id,
  package: nameComponents(one),
  by: one.not_affecting?.by ?? null,
  why: one.not_affecting?.reason ?? null,
});

/** Formats the findings of each tool side by side, then the open, accepted and not affecting vulnerabilities. */
export const formatScanDetails = (scan: ScanResult, output: Output): string[] => {
  const { open, accepted, notAffecting } = groupVulnerabilities(scan.vulnerabilities);
  const notes = listNotes(scan);
  const omitted = `${scan.omitted} more do not fit into one answer. --number shows the scan of each tool.`;
  return [
    ...formatSection(
      'Tools',
      scan.tools.map((tool) => presentTool(tool, scan)),
      output,
    ),
    ...(notes.length > 0 ? [''] : []),
    ...notes.flatMap((note) => wrap(toOneLine(note), output.width)),
    ...formatSection('Vulnerabilities', open.map(presentOpen), output),
    ...formatSection('Accepted', accepted.map(presentAccepted), output),
    ...formatSection('Not affecting', notAffecting.map(presentNotAffecting), output),
    ...(scan.omitted > 0 ? ['', ...wrap(omitted, output.width)] : []),
  ];
};

/** Formats the merged scan of a version, or one of its scans. */
export const formatScan = (scan: ScanResult, output: Output): string[] => {
  const title = output.style('bold', toOneLine(nameScanned(scan)));
  const [status = '', ...found] = describeScan(scan).split(': ');
  const summary = `${title}  ${colourValue(status, output)}: ${found.join(': ')}`;
  return [...wrap(summary, output.width), ...formatScanDetails(scan, output)];
};

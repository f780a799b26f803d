import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { severities } from '../../shared/domain/vulnerabilities/severity.ts';
import { formatTable } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine, wrap } from '../output/text.ts';
import { colourValue } from '../output/values.ts';
import { isUnfinished } from './unscanned.ts';

type Counts = ScanResult['severity'];
type Tool = ScanResult['tools'][number];
type Vulnerability = ScanResult['vulnerabilities'][number];

/** A time in UTC to the minute, which fits into two short lines of a table. */
export const toMinutes = (at: string): string => at.replace('T', ' ').slice(0, 16);

/** `1 critical, 2 high`; nothing where there is none. */
export const formatSeverityCounts = (counts: Counts): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}`)
    .join(', ');

/** The vulnerabilities that count, and those that do not, each in the order in which they came. */
const sortOut = (vulnerabilities: readonly Vulnerability[]) => {
  const affecting = vulnerabilities.filter((one) => !one.not_affecting);
  return {
    counting: affecting.filter(({ accepted }) => !accepted),
    accepted: affecting.filter((one) => one.accepted),
    harmless: vulnerabilities.filter((one) => one.not_affecting),
  };
};

/** How a version stands, in one line: `failed: 1 critical, 2 high, 1 accepted`. */
export const describeScan = (scan: ScanResult): string => {
  if (isUnfinished(scan)) return `${scan.status}: not known`;
  const { accepted, harmless } = sortOut(scan.vulnerabilities);
  const parts = [
    formatSeverityCounts(scan.severity) || 'nothing that counts',
    ...(accepted.length > 0 ? [`${accepted.length} accepted`] : []),
    ...(harmless.length > 0 ? [`${harmless.length} not affecting`] : []),
  ];
  return `${scan.status}: ${parts.join(', ')}`;
};

/** A tool, and the token that its scans were sent with. */
export const nameTool = ({ tool, label }: Pick<Tool, 'tool' | 'label'>): string =>
  label === null ? tool : `${tool} (token ${label})`;

/** Whether it has found something that still holds, also where its newest scan broke. */
const hasFound = ({ tool }: Tool, { vulnerabilities }: ScanResult): boolean =>
  vulnerabilities.some(({ found_by }) => found_by.includes(tool));

/** A broken scan's zeros say nothing. */
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

/** The columns in which some row says something. */
const chooseColumns = (rows: readonly object[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) => (value === null || value === '' ? [] : name)),
    ),
  ),
];

const formatSection = (title: string, rows: readonly object[], output: Output): string[] => {
  if (rows.length === 0) return [];
  const [first = {}] = rows;
  const filled = chooseColumns(rows);
  const columns = Object.keys(first).filter((name) => filled.includes(name));
  const table = formatTable(
    rows.map((row) => ({ ...row })),
    output,
    columns,
  );
  return ['', output.style('bold', title), ...table];
};

/** What a table of tools cannot say. */
const listNotes = (scan: ScanResult): string[] =>
  scan.tools.flatMap((tool) => {
    const broken = `The newest scan by ${nameTool(tool)} broke: ${tool.reason}.`;
    const before = hasFound(tool, scan) ? ' What it found before holds on.' : '';
    return [
      ...(tool.status === 'error' ? [`${broken.replace(/\.\.$/, '.')}${before}`] : []),
      ...(tool.status !== 'error' && tool.reason !== null
        ? [`The scan by ${nameTool(tool)}: ${tool.reason}`]
        : []),
      ...(tool.forced
        ? [`The report of ${nameTool(tool)} says that it is about something else.`]
        : []),
    ];
  });

/** Where a summary still leaves room for all else. */
const roomForSummary = 100;

const nameVulnerability = ({ id, known_exploited }: Vulnerability): string =>
  known_exploited ? `${id} (exploited)` : id;

/** Nothing where it is in the package itself. */
const nameComponents = ({ components }: Vulnerability): readonly string[] | null =>
  components.length > 0 ? components : null;

const presentCounting = (one: Vulnerability, { width }: Output) => ({
  severity: one.severity,
  id: nameVulnerability(one),
  in: nameComponents(one),
  fixed_in: one.fixed_versions,
  found_by: one.found_by,
  ...(width >= roomForSummary && { summary: one.summary }),
});

const presentAccepted = (one: Vulnerability) => ({
  severity: one.severity,
  id: nameVulnerability(one),
  in: nameComponents(one),
  until_utc: one.accepted && toMinutes(one.accepted.until),
  by: one.accepted?.by ?? null,
  why: one.accepted?.reason ?? null,
});

/** Without its severity: nobody shall read of a critical one that does no harm. */
const presentHarmless = (one: Vulnerability) => ({
  id: one.id,
  in: nameComponents(one),
  says: one.not_affecting?.by ?? null,
  why: one.not_affecting?.reason ?? null,
});

/** What each tool found side by side, and then every vulnerability: what counts, what is lived with, what does no harm. */
export const formatScanDetails = (scan: ScanResult, output: Output): string[] => {
  const { counting, accepted, harmless } = sortOut(scan.vulnerabilities);
  const notes = listNotes(scan);
  const omitted = `${scan.omitted} more do not fit into one answer; --number shows the scan of each tool.`;
  return [
    ...formatSection(
      'Tools',
      scan.tools.map((tool) => presentTool(tool, scan)),
      output,
    ),
    ...(notes.length > 0 ? [''] : []),
    ...notes.flatMap((note) => wrap(toOneLine(note), output.width)),
    ...formatSection(
      'Vulnerabilities',
      counting.map((one) => presentCounting(one, output)),
      output,
    ),
    ...formatSection('Accepted', accepted.map(presentAccepted), output),
    ...formatSection('Not affecting', harmless.map(presentHarmless), output),
    ...(scan.omitted > 0 ? ['', ...wrap(omitted, output.width)] : []),
  ];
};

/** Formats what is known of a version's vulnerabilities, or one scan of it, for people. */
export const formatScan = (scan: ScanResult, output: Output): string[] => {
  const title = output.style('bold', toOneLine(`${scan.package} ${scan.version}`));
  const [status = '', ...found] = describeScan(scan).split(': ');
  const summary = `${title}  ${colourValue(status, output)}: ${found.join(': ')}`;
  return [...wrap(summary, output.width), ...formatScanDetails(scan, output)];
};

import { compareOrder } from '../../util/compare-order.ts';
import { maxAnswerBytes, measureAnswer } from '../answer-size.ts';
import type { PackageId } from '../packages/package-id.ts';
import type { ScanResult, ScanStatus } from './scan-result.ts';
import { formatTools, type ScanSource } from './scan-source.ts';
import {
  addCounts,
  countEntry,
  findStandingStatus,
  isPartial,
  type KnownVulnerabilities,
  listEntries,
  type MergedScanEntry,
  noCounts,
  summarize,
} from './scan-summary.ts';
import { compareSeverities, type Severity } from './severity.ts';
import { judgeCounts, judgePartial, type ScanPolicy, type Verdict } from './verdict.ts';
import type { Vulnerability } from './vulnerability.ts';

/** Risk acceptance of a vulnerability, as scans show it. */
export interface AcceptedMark {
  id: string;
  number: number;
  reason: string;
  by: string | null;
  until: string;
}

/** Vulnerability of a version with the tools that found it and its risk acceptance. */
export interface FoundVulnerability extends Vulnerability {
  found_by: string[];
  accepted: AcceptedMark | null;
}

/** Latest result of one scan source: a tool and a token. */
export interface ToolResult {
  tool: string;
  label: string | null;
  number: number;
  scan_date: string;
  confirmed_at: string | null;
  status: ScanStatus;
  reason: string | null;
  severity: Record<Severity, number>;
  forced: boolean;
}

/** Merged scan: either one scan, or the latest scans of all scan sources of a version. */
export interface MergedScan extends Omit<ScanResult, 'vulnerabilities' | 'forced'> {
  vulnerabilities: FoundVulnerability[];
  /** Number of vulnerabilities that do not fit into the response. */
  omitted: number;
  tools: ToolResult[];
}

interface Viewpoint {
  readonly now: Date;
  readonly policy: ScanPolicy;
}

const isAccepted = ({ acceptance }: MergedScanEntry, now: Date): boolean =>
  acceptance !== null && Date.parse(acceptance.expires_at) > now.getTime();

const toMark = ({ acceptance }: MergedScanEntry, now: Date): AcceptedMark | null => {
  if (!acceptance || Date.parse(acceptance.expires_at) <= now.getTime()) return null;
  const { id, number, reason, by, expires_at } = acceptance;
  return { id, number, reason, by, until: expires_at };
};

const countOne = ({ severity, not_affecting }: Vulnerability) =>
  not_affecting ? noCounts : { ...noCounts, [severity]: 1 };

/** Returns the open findings of a scan source by severity. */
const countSource = (source: ScanSource, entries: readonly MergedScanEntry[], now: Date) =>
  entries
    .filter((entry) => !isAccepted(entry, now))
    .flatMap(({ members }) => members.filter((member) => member.source.sourceId === source.id))
    .map(({ finding }) => countOne(finding))
    .reduce(addCounts, noCounts);

const evaluateTool = ({ reason, finished }: ScanSource, verdict: Verdict): ScanStatus => {
  if (reason !== null) return 'error';
  return finished && finished.partial !== null ? judgePartial(verdict) : verdict;
};

const toToolResult = (
  source: ScanSource,
  entries: readonly MergedScanEntry[],
  { now, policy }: Viewpoint,
): ToolResult => {
  const severity = countSource(source, entries, now);
  return {
    tool: formatTools(source.tools),
    label: source.label,
    number: source.number,
    scan_date: source.scan_date,
    confirmed_at: source.confirmed_at,
    status: evaluateTool(source, judgeCounts(policy, severity)),
    reason: source.reason ?? source.finished?.partial ?? null,
    severity: { ...severity },
    forced: source.forced,
  };
};

/** Vulnerability as shown, with the ids of its scan sources. */
interface Shown {
  readonly vulnerability: FoundVulnerability;
  readonly sourceIds: readonly string[];
}

/** Returns the entry without its summary and references. */
const dropProse = ({ vulnerability, sourceIds }: Shown): Shown => ({
  vulnerability: { ...vulnerability, summary: '', references: [] },
  sourceIds,
});

/**
 * Returns as many entries as fit into one response. Scan sources take turns, each with its worst remaining entry. So
 * the worst findings of each source are included.
 */
const takeTurns = (shown: readonly Shown[]): Shown[] => {
  const sourceIds = new Set(shown.flatMap((one) => one.sourceIds));
  const queues = [...sourceIds].map((id) => shown.filter((one) => one.sourceIds.includes(id)));
  const taken = new Set<Shown>();
  let bytes = 0;
  for (let turn = 0; queues.some((queue) => turn < queue.length); turn += 1) {
    for (const queue of queues) {
      const next = queue[turn];
      if (!next || taken.has(next)) continue;
      bytes += measureAnswer(next.vulnerability);
      if (bytes > maxAnswerBytes) return shown.filter((one) => taken.has(one));
      taken.add(next);
    }
  }
  return [...shown];
};

const fitAnswer = (shown: readonly Shown[]): FoundVulnerability[] => {
  const all = shown.map(({ vulnerability }) => vulnerability);
  if (measureAnswer(all) <= maxAnswerBytes) return all;
  return takeTurns(shown.map(dropProse)).map(({ vulnerability }) => vulnerability);
};

/** Returns the entries to show, worst first, then by id. Tools are sorted by name. */
const showEntries = (
  sources: readonly ScanSource[],
  entries: readonly MergedScanEntry[],
  now: Date,
): Shown[] => {
  const tools = new Map(sources.map((source) => [source.id, formatTools(source.tools)]));
  return entries
    .map((entry) => {
      const sourceIds = entry.members.map(({ source }) => source.sourceId);
      const found_by = [...new Set(sourceIds.map((id) => tools.get(id) ?? ''))].sort(compareOrder);
      return {
        vulnerability: { ...entry.vulnerability, found_by, accepted: toMark(entry, now) },
        sourceIds,
      };
    })
    .sort(
      ({ vulnerability: one }, { vulnerability: other }) =>
        compareSeverities(one.severity, other.severity) || compareOrder(one.id, other.id),
    );
};

/**
 * Returns the newest source's error if every scan failed. If all were partial, returns what the newest finished scan
 * skipped.
 */
const findReason = (sources: readonly ScanSource[], status: ScanStatus): string | null => {
  const newestFirst = [...sources].sort((one, other) =>
    compareOrder(other.scan_date, one.scan_date),
  );
  if (status === 'error') return newestFirst[0]?.reason ?? null;
  if (!isPartial(sources)) return null;
  return newestFirst.find(({ finished }) => finished)?.finished?.partial ?? null;
};

/** Returns the merged scan of a version, or undefined if it has no scan. */
export const toMergedScan = (
  { ecosystem, name, version }: PackageId,
  known: KnownVulnerabilities,
  viewpoint: Viewpoint,
): MergedScan | undefined => {
  const { sources } = known;
  const { now } = viewpoint;
  const entries = listEntries(known);
  const status = findStandingStatus(summarize(sources, entries, now), viewpoint);
  if (status === 'missing') return undefined;
  const vulnerabilities = fitAnswer(showEntries(sources, entries, now));
  const counted = entries.filter((entry) => !isAccepted(entry, now));
  const severity = counted.map(countEntry).reduce(addCounts, noCounts);
  return {
    ecosystem,
    package: name,
    version,
    scan_date: sources.map(({ scan_date }) => scan_date).reduce((a, b) => (a > b ? a : b)),
    status,
    reason: findReason(sources, status),
    vulnerabilities,
    omitted: entries.length - vulnerabilities.length,
    severity: { ...severity },
    tools_used: [...new Set(sources.flatMap(({ tools }) => tools))].sort(compareOrder),
    tools: sources.map((source) => toToolResult(source, entries, viewpoint)),
  };
};

/** Returns one scan in the shape of a merged scan, unchanged since it was made. */
export const toMergedScanTable = (
  { forced, ...scan }: ScanResult,
  { number, label }: { readonly number: number; readonly label: string | null },
): MergedScan => ({
  ...scan,
  vulnerabilities: scan.vulnerabilities.map((vulnerability) => ({
    ...vulnerability,
    found_by: [formatTools(scan.tools_used)],
    accepted: null,
  })),
  omitted: 0,
  tools: [
    {
      tool: formatTools(scan.tools_used),
      label,
      number,
      scan_date: scan.scan_date,
      confirmed_at: null,
      status: scan.status,
      reason: scan.reason,
      severity: scan.severity,
      forced,
    },
  ],
});

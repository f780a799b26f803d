import type { RegistryEvent } from '../../shared/api/schemas/event.ts';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { describeEventActor } from '../../shared/domain/tokens/describe-actor.ts';
import { formatSeverityCounts } from '../../shared/domain/vulnerabilities/severity-counts.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { formatField } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine, wrap } from '../output/text.ts';
import { colourValue, formatValue } from '../output/values.ts';
import { describeLicenseEvidence } from './license-evidence.ts';
import { nameTool } from './merged-scan.ts';
import { isUnfinished } from './unscanned.ts';

/** A change of status. */
interface Change
  extends Pick<RegistryEvent, 'type' | 'from'>,
    Partial<Pick<HistoryEntry, 'scan' | 'question'>> {
  readonly to: string | null;
}

/** The verbs of event types that do not contain one. */
const verbs: Partial<Record<RegistryEvent['type'], string>> = {
  'package.attention': 'needs attention',
  'package.commented': 'commented',
  'project.affected': 'affects projects',
  'scan.dismissed': 'scans dismissed',
  'vulnerability.accepted': 'vulnerability accepted',
  'acceptance.ended': 'acceptance ended',
  'recall.confirmed': 'recall confirmed',
  'recall.dismissed': 'record of malware dismissed',
  'registry.frozen': 'frozen',
  'registry.unfrozen': 'unfrozen',
};

/** Types whose verbs tell the status before. */
const statusVerbs: readonly string[] = ['package.expired', 'package.recalled', 'package.released'];

/** Returns the verb of a change: the new status of a license or of a restored version, or the event. */
const findVerb = ({ type, to, scan, question }: Change): string => {
  if (type === 'license.decided') return to ?? '';
  if (type === 'package.restored') return `restored as ${to ?? 'unknown'}`;
  if (type === 'scan.dismissed' && scan) return `scans by ${nameTool(scan)} dismissed`;
  if (question) return 'asked';
  return verbs[type] ?? type.replace(/^package\./, '');
};

/** Names the status before, unless it was pending, as it is before most decisions. */
const describeChange = ({ type, from, to }: Change): string => {
  if (type in verbs) return '';
  if (from === to) return 'again';
  const isClear = from === null || from === 'pending' || statusVerbs.includes(type);
  return isClear ? '' : `(was ${from})`;
};

type Actors = Pick<Change, 'type'> & Pick<HistoryEntry, 'by' | 'token_label'>;

const describeActors = (actors: Actors): string => {
  const by = describeEventActor(actors);
  return by === null ? '' : `by ${by}`;
};

type Activity = Change & Pick<RegistryEvent, 'expires_at'> & Actors & { readonly what?: string };

/** Lists the words after the verb: `by ana (token ci) until 2027-01-31T00:00:00Z`. */
const listCircumstances = (activity: Activity): string[] => {
  const { expires_at } = activity;
  const holds = expires_at !== null && activity.type !== 'acceptance.ended';
  const until = holds ? `until ${dropMilliseconds(expires_at)}` : '';
  return [activity.what ?? '', describeChange(activity), describeActors(activity), until];
};

const joinWords = (words: readonly string[]): string => words.filter(Boolean).join(' ');

/** Formats an activity as a sentence, with the verb in its colour. */
const formatSentence = (
  start: string,
  activity: Activity,
  { output, others = [] }: { readonly output: Output; readonly others?: readonly string[] },
): string => {
  const verb = colourValue(toOneLine(findVerb(activity)), output);
  return joinWords([
    start,
    verb,
    toOneLine(joinWords([...listCircumstances(activity), ...others])),
  ]);
};

type Evidence = NonNullable<HistoryEntry['evidence']>;

const describeScan = (scan: Evidence['scans'][number]): string => {
  const found = isUnfinished(scan) ? 'not known' : formatValue(scan.severity);
  const tools = formatValue(scan.tools_used);
  return `scan ${scan.number} by ${tools}, ${dropMilliseconds(scan.scan_date)}: ${scan.status} (${found})`;
};

/** Describes the merged scan, unless it equals the only scan. */
const describeMergedScan = ({ scans, merged_scan }: Evidence): string[] => {
  const { status, severity, accepted } = merged_scan;
  if (scans.length < 2 && accepted === 0) return [];
  const risks = accepted > 0 ? `, ${accepted} accepted` : '';
  return [
    `merged ${status} (${formatSeverityCounts(severity) || 'no open vulnerabilities'}${risks})`,
  ];
};

/** Describes the upstream metadata at the time of the decision; empty if it was not known. */
const describeOrigin = (facts: Evidence['facts']): string[] => {
  if (facts === null) return [];
  if (facts.found !== 'yes')
    return [`upstream: ${facts.found === 'no' ? 'not found' : 'not known'}`];
  const states = [
    facts.license ?? 'no readable license',
    ...(facts.deprecated === null ? [] : ['deprecated']),
    ...(facts.yanked === null ? [] : ['yanked']),
  ];
  return [`upstream: ${states.join(', ')}`];
};

const describeEvidence = (evidence: Evidence): string => {
  const { scans, license, facts } = evidence;
  const scanned = scans.length === 0 ? ['no scan'] : scans.map(describeScan);
  return [
    ...scanned,
    ...describeMergedScan(evidence),
    `license ${describeLicenseEvidence(license)}`,
    ...describeOrigin(facts),
  ].join('; ');
};

/** Returns the vulnerability or scan that an entry is about; empty if it is about its version. */
const describeWhat = ({ type, scan, acceptance }: HistoryEntry): string => {
  if (acceptance) return acceptance.vulnerability;
  const isCause = type === 'package.attention' && scan;
  return isCause ? `since scan ${scan.number} by ${nameTool(scan)}` : '';
};

const indent = '  ';
/** Sequence numbers up to this width are aligned. */
const sequenceWidth = 6;

/** Formats an entry of a history: the activity, and below it its reason and evidence. */
export const formatHistoryEntry = (entry: HistoryEntry, output: Output): string[] => {
  const { at, name, version, ecosystem, reason, justification, overridden, evidence } = entry;
  const facts = {
    justification,
    reason,
    evidence: evidence && describeEvidence(evidence),
    overridden: overridden.length > 0 ? overridden : null,
  };
  const narrower = { ...output, width: output.width - indent.length };
  const subject = `${formatPackage({ ecosystem, name, version })}${version === null ? ' (all versions)' : ''}`;
  const start = `${dropMilliseconds(at)}  ${toOneLine(subject)}`;
  const what = describeWhat(entry);
  return [
    ...wrap(formatSentence(start, { ...entry, what }, { output }), output.width),
    ...Object.keys(facts)
      .flatMap((name) => formatField(facts, name, narrower))
      .map((line) => `${indent}${line}`),
  ];
};

/** Describes the subject of an event on one line. */
const describeSubject = ({
  type,
  name,
  version,
  ecosystem,
  license,
  vulnerability,
}: RegistryEvent) => {
  if (type.startsWith('registry.')) return 'registry';
  if (license !== null) return `license ${license}`;
  // Registries of earlier releases have no such field.
  const scope = name === null ? String(ecosystem) : formatPackage({ ecosystem, name, version });
  if (!vulnerability) return scope;
  return `${vulnerability}${ecosystem === null ? '' : ` in ${scope}`}`;
};

/** Formats an event on one line. */
export const formatEvent = (event: RegistryEvent, output: Output): string[] => {
  const { sequence, at, reason, before } = event;
  const others = [
    // Registries of earlier releases have no such field.
    ...(before ? [`for versions after ${dropMilliseconds(before)}`] : []),
    ...(reason === null ? [] : [`"${reason}"`]),
  ];
  const what = toOneLine(describeSubject(event));
  const start = `${String(sequence).padStart(sequenceWidth)}  ${dropMilliseconds(at)}  ${what}`;
  return [formatSentence(start, event, { output, others })];
};

import type { RegistryEvent } from '../../shared/api/schemas/event.ts';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { formatField } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine, wrap } from '../output/text.ts';
import { colourValue, formatValue } from '../output/values.ts';
import { describeLicenseEvidence } from './license-evidence.ts';
import { formatSeverityCounts, nameTool } from './merged-scan.ts';
import { isUnfinished } from './unscanned.ts';

/** A time in UTC to the second: `2026-01-31T12:00:00Z`. */
export const toSeconds = (at: string): string => at.replace(/\.\d+Z$/, 'Z');

/** What became of something: where it stood before, and stands since. */
interface Change extends Pick<RegistryEvent, 'type' | 'from'>, Partial<Pick<HistoryEntry, 'scan'>> {
  readonly to: string | null;
}

/** The words for what happened, where its type does not say it by itself. */
const verbs: Partial<Record<RegistryEvent['type'], string>> = {
  'package.attention': 'needs attention',
  'scan.retired': 'scans retired',
  'vulnerability.accepted': 'vulnerability accepted',
  'acceptance.ended': 'acceptance ended',
};

/** Of a license it says where that stands now; of all else, what was done with it. */
const findVerb = ({ type, to, scan }: Change): string => {
  if (type === 'license.decided') return to ?? '';
  if (type === 'scan.retired' && scan) return `scans by ${nameTool(scan)} retired`;
  return verbs[type] ?? type.replace(/^package\./, '');
};

/** Where it stood before, if that is worth a word: everything that is decided has been pending. */
const describeChange = ({ type, from, to }: Change): string => {
  if (type in verbs) return '';
  if (from === to) return 'again';
  return from === null || from === 'pending' || type === 'package.expired' ? '' : `(was ${from})`;
};

type Actors = Pick<HistoryEntry, 'by' | 'token_label'>;

const describeActors = (actors: Actors): string => {
  const by = describeActor(actors);
  return by === null ? '' : `by ${by}`;
};

type Happening = Change & Pick<RegistryEvent, 'expires_at'> & Actors & { readonly what?: string };

/** What follows the verb: `by ana (token ci) until 2027-01-31T00:00:00Z`. */
const listCircumstances = (happening: Happening): string[] => {
  const { expires_at } = happening;
  const holds = expires_at !== null && happening.type !== 'acceptance.ended';
  const until = holds ? `until ${toSeconds(expires_at)}` : '';
  return [happening.what ?? '', describeChange(happening), describeActors(happening), until];
};

const joinWords = (words: readonly string[]): string => words.filter(Boolean).join(' ');

/** What happened to what it starts with, on one line, with the verb in its colour. */
const formatSentence = (
  start: string,
  happening: Happening,
  { output, others = [] }: { readonly output: Output; readonly others?: readonly string[] },
): string => {
  const verb = colourValue(toOneLine(findVerb(happening)), output);
  return joinWords([
    start,
    verb,
    toOneLine(joinWords([...listCircumstances(happening), ...others])),
  ]);
};

type Evidence = NonNullable<HistoryEntry['evidence']>;

const describeScan = (scan: Evidence['scans'][number]): string => {
  const found = isUnfinished(scan) ? 'not known' : formatValue(scan.severity);
  const tools = formatValue(scan.tools_used);
  return `scan ${scan.number} by ${tools}, ${toSeconds(scan.scan_date)}: ${scan.status} (${found})`;
};

/** What scans came to together, where that does not follow from the only one. */
const describeTogether = ({ scans, picture }: Evidence): string[] => {
  const { status, severity, accepted } = picture;
  if (scans.length < 2 && accepted === 0) return [];
  const lived = accepted > 0 ? `, ${accepted} accepted` : '';
  return [
    `together ${status} (${formatSeverityCounts(severity) || 'nothing that counts'}${lived})`,
  ];
};

/** What its origin had said, where it had been asked. */
const describeOrigin = (facts: Evidence['facts']): string[] => {
  if (facts === null) return [];
  if (facts.found !== 'yes') return [`origin: ${facts.found === 'no' ? 'not there' : 'not known'}`];
  const said = [
    facts.license ?? 'no license that can be read',
    ...(facts.deprecated === null ? [] : ['deprecated']),
    ...(facts.yanked === null ? [] : ['taken back']),
  ];
  return [`origin: ${said.join(', ')}`];
};

const describeEvidence = (evidence: Evidence): string => {
  const { scans, license, facts } = evidence;
  const scanned = scans.length === 0 ? ['never scanned'] : scans.map(describeScan);
  return [
    ...scanned,
    ...describeTogether(evidence),
    `license ${describeLicenseEvidence(license)}`,
    ...describeOrigin(facts),
  ].join('; ');
};

/** What an entry is about, where that is neither its version nor in its verb. */
const describeWhat = ({ type, scan, acceptance }: HistoryEntry): string => {
  if (acceptance) return acceptance.vulnerability;
  const isCause = type === 'package.attention' && scan;
  return isCause ? `since scan ${scan.number} by ${nameTool(scan)}` : '';
};

const indent = '  ';
/** Up to here, events stand below each other. */
const sequenceWidth = 6;

/** Formats an entry of a history for people: what happened, and below it why, and what it stood on. */
export const formatHistoryEntry = (entry: HistoryEntry, output: Output): string[] => {
  const { at, version, ecosystem, reason, justification, overridden, evidence } = entry;
  const facts = {
    wanted_because: justification,
    reason,
    stood_on: evidence && describeEvidence(evidence),
    overrode: overridden.length > 0 ? overridden : null,
  };
  const narrower = { ...output, width: output.width - indent.length };
  const start = `${toSeconds(at)}  ${toOneLine(version ?? 'all versions')} (${ecosystem})`;
  const what = describeWhat(entry);
  return [
    ...wrap(formatSentence(start, { ...entry, what }, { output }), output.width),
    ...Object.keys(facts)
      .flatMap((name) => formatField(facts, name, narrower))
      .map((line) => `${indent}${line}`),
  ];
};

/** What an event is about, on one line. */
const describeSubject = ({ name, version, ecosystem, license, vulnerability }: RegistryEvent) => {
  if (license !== null) return `license ${license}`;
  // A registry of an earlier release says nothing of it.
  if (!vulnerability) return `${name} ${version} (${ecosystem})`;
  const scope = [name, version].filter(Boolean).join(' ');
  const where =
    ecosystem === null ? '' : ` in ${scope === '' ? ecosystem : `${scope} (${ecosystem})`}`;
  return `${vulnerability}${where}`;
};

/** Formats an event for people, on one line. */
export const formatEvent = (event: RegistryEvent, output: Output): string[] => {
  const { sequence, at, reason } = event;
  const others = reason === null ? [] : [`"${reason}"`];
  const what = toOneLine(describeSubject(event));
  const start = `${String(sequence).padStart(sequenceWidth)}  ${toSeconds(at)}  ${what}`;
  return [formatSentence(start, event, { output, others })];
};

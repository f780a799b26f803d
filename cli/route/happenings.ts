import type { RegistryEvent } from '../../shared/schemas/event.ts';
import type { HistoryEntry } from '../../shared/schemas/history.ts';
import { formatField } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine, wrap } from '../output/text.ts';
import { colourValue, formatValue } from '../output/values.ts';
import { formatCounts, nameTool } from './scan-picture.ts';
import { isUnfinished } from './unscanned.ts';

/** A time in UTC to the second: `2026-01-31T12:00:00Z`. */
export const toSeconds = (at: string): string => at.replace(/\.\d+Z$/, 'Z');

/** What happened, where the type does not say it in one word. */
const sentences = new Map<RegistryEvent['type'], string>([
  ['package.attention', 'needs attention'],
  ['scan.retired', 'scans retired'],
]);

type Happened = Pick<RegistryEvent, 'type' | 'to'> & Partial<Pick<HistoryEntry, 'scan'>>;

/** Of a license it says where that stands now; of a version, what was done with it. */
const findVerb = ({ type, to, scan }: Happened): string => {
  if (type === 'license.decided') return to;
  if (type === 'scan.retired' && scan) return `scans by ${nameTool(scan)} retired`;
  return sentences.get(type) ?? type.replace(/^package\./, '');
};

/** Where it stood before, if that is worth a word: everything that is decided has been pending. */
const describeChange = ({
  type,
  from,
  to,
}: Pick<RegistryEvent, 'type' | 'from' | 'to'>): string => {
  if (sentences.has(type)) return '';
  if (from === to) return 'again';
  return from === null || from === 'pending' || type === 'package.expired' ? '' : `(was ${from})`;
};

type Actors = Pick<HistoryEntry, 'by'> & Partial<Pick<HistoryEntry, 'token_label'>>;

/** Who did it, as they said; and whose token it was, where that says something else. */
const describeActors = ({ by, token_label = null }: Actors): string => {
  const token = token_label === null || token_label === by ? '' : ` (token ${token_label})`;
  return by === null ? '' : `by ${by}${token}`;
};

type Happening = Happened & Pick<RegistryEvent, 'from' | 'expires_at'> & Actors;

/** What follows the verb: `by ana (token ci) until 2027-01-31T00:00:00Z`. */
const listCircumstances = (happening: Happening): string[] => {
  const { expires_at } = happening;
  const until = expires_at === null ? '' : `until ${toSeconds(expires_at)}`;
  return [describeChange(happening), describeActors(happening), until];
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

const describeLicense = (license: Evidence['license']): string => {
  if (license === null) return 'no license given';
  const { claimed, reading, status } = license;
  if (reading === null) return `license ${claimed}, which cannot be read: ${status}`;
  const read = reading === claimed ? '' : `, which reads as ${reading}`;
  return `license ${claimed}${read}: ${status}`;
};

/** What scans came to together, where that does not follow from the only one. */
const describeTogether = ({ scans, picture }: Evidence): string[] => {
  const { status, severity, accepted } = picture;
  if (scans.length < 2 && accepted === 0) return [];
  const lived = accepted > 0 ? `, ${accepted} accepted` : '';
  return [`together ${status} (${formatCounts(severity) || 'nothing that counts'}${lived})`];
};

const describeEvidence = (evidence: Evidence): string => {
  const { scans, license } = evidence;
  const scanned = scans.length === 0 ? ['never scanned'] : scans.map(describeScan);
  return [...scanned, ...describeTogether(evidence), describeLicense(license)].join('; ');
};

/** The scan that it happened with. */
const describeCause = ({ type, scan }: HistoryEntry): string[] =>
  type === 'package.attention' && scan ? [`since scan ${scan.number} by ${nameTool(scan)}`] : [];

const indent = '  ';
/** Up to here, events stand below each other. */
const sequenceWidth = 6;

/** Formats an entry of a history for people: what happened, and below it why, and what it stood on. */
export const formatHistoryEntry = (entry: HistoryEntry, output: Output): string[] => {
  const { at, version, ecosystem, reason, overridden, evidence } = entry;
  const facts = {
    reason,
    stood_on: evidence && describeEvidence(evidence),
    overrode: overridden.length > 0 ? overridden : null,
  };
  const narrower = { ...output, width: output.width - indent.length };
  const start = `${toSeconds(at)}  ${toOneLine(version)} (${ecosystem})`;
  return [
    ...wrap(formatSentence(start, entry, { output, others: describeCause(entry) }), output.width),
    ...Object.keys(facts)
      .flatMap((name) => formatField(facts, name, narrower))
      .map((line) => `${indent}${line}`),
  ];
};

/** Formats an event for people, on one line. */
export const formatEvent = (event: RegistryEvent, output: Output): string[] => {
  const { sequence, at, name, version, ecosystem, license, reason } = event;
  const what = license === null ? `${name} ${version} (${ecosystem})` : `license ${license}`;
  const others = reason === null ? [] : [`"${reason}"`];
  const start = `${String(sequence).padStart(sequenceWidth)}  ${toSeconds(at)}  ${toOneLine(what)}`;
  return [formatSentence(start, event, { output, others })];
};

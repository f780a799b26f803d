import type { HistoryEntry } from '../../../../shared/api/schemas/history.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';
import { describeLicenseEvidence } from '../../../presentation/license-evidence.ts';
import { nameTool } from '../../../presentation/merged-scan.ts';
import type { EvidenceReport } from '../report.ts';
import { describeRecordScan } from './describe-scan.ts';
import { actorOf, type Column, quoteOf, tableOf, timeOf } from './parts.ts';

const nameEvent = ({ type, from, to }: HistoryEntry): string => {
  const event = type.replace('package.', '').replace('.', ' ');
  return from === null || to === null || from === to ? event : `${event} (was ${from})`;
};

const listDetails = (entry: HistoryEntry): Content[] => {
  const { reason, justification, rule, overridden, expires_at, acceptance, scan, evidence } = entry;
  return [
    ...(justification === null ? [] : [html`Justification: ${quoteOf(justification)}`]),
    ...(reason === null ? [] : [html`Reason: ${quoteOf(reason)}`]),
    ...(expires_at === null ? [] : [html`Until: ${timeOf(expires_at)}`]),
    ...(rule === null ? [] : [`Rule: ${rule}`]),
    ...(overridden.length === 0 ? [] : [`Overridden: ${overridden.join(', ')}`]),
    ...(acceptance
      ? [`Vulnerability: ${acceptance.vulnerability}, acceptance ${acceptance.number}`]
      : []),
    ...(scan ? [`Scan ${scan.number} by ${nameTool(scan)}`] : []),
    ...(evidence
      ? [
          `Evidence: ${[
            ...(evidence.scans.length === 0 ? ['no scan'] : evidence.scans.map(describeRecordScan)),
            `license ${describeLicenseEvidence(evidence.license)}`,
          ].join('; ')}`,
        ]
      : []),
  ];
};

const columns: readonly Column<HistoryEntry>[] = [
  { title: 'Time', value: ({ at }) => timeOf(at), kind: 'tight' },
  { title: 'Event', value: nameEvent, kind: 'tight' },
  { title: 'By', value: (entry) => (entry.by === null ? '' : actorOf(entry)) },
  {
    title: 'Details',
    value: (entry) => listDetails(entry).map((item) => html`<div>${item}</div>`),
  },
  { title: 'Record', value: ({ id }) => id, kind: 'digest' },
];

/** Writes every entry of the history of the version, newest first. */
export const writeHistory = ({ history }: EvidenceReport): Markup =>
  html`<p class="quiet">The registry never changes or deletes an entry. Each one is also a numbered event with the same identifier.</p>
${tableOf(history, columns, { none: 'The history is empty.' })}`;

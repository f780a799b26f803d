import type { HistoryEntry } from '../../../../shared/api/schemas/history.ts';
import { describeAutomatic } from '../../../../shared/domain/review/automatic-submission.ts';
import { html, type Markup } from '../../../output/html.ts';
import { findLastApproval, listDecisions } from '../approvals.ts';
import { compareSubmitterAndDecider } from '../four-eyes.ts';
import type { EvidenceReport } from '../report.ts';
import {
  actorOf,
  type Column,
  fieldsOf,
  quoteOf,
  submitterOf,
  tableOf,
  timeOf,
  toned,
} from './parts.ts';

const columns: readonly Column<HistoryEntry>[] = [
  { title: 'Time', value: ({ at }) => timeOf(at), kind: 'tight' },
  {
    title: 'Decision',
    value: ({ type, from }) => [
      toned(type.replace('package.', '')),
      from === null ? null : ` (was ${from})`,
    ],
    kind: 'tight',
  },
  { title: 'By', value: (entry) => actorOf(entry) },
  { title: 'Reason', value: ({ reason }) => quoteOf(reason) },
  { title: 'Overridden', value: ({ overridden }) => overridden.join(', ') },
  { title: 'Until', value: ({ expires_at }) => expires_at && timeOf(expires_at), kind: 'tight' },
];

/** Writes who submitted the version, who decided on it, and whether these were different people. */
export const writeDecisions = ({ evidence, history }: EvidenceReport): Markup => {
  const { package: detail, justification, automatic, held_by } = evidence;
  const last = findLastApproval(history);
  const eyes = last && compareSubmitterAndDecider(evidence, last.approval);
  const { submitted_by: by, submitted_token_label: token_label, submitted_at } = detail;
  return html`${fieldsOf([
    ['Submitted by', submitterOf({ by, token_label })],
    ['Submitted at', timeOf(submitted_at)],
    ['Justification', quoteOf(justification, 'none given')],
    ...(automatic ? ([['Submitted as', describeAutomatic(automatic)]] as const) : []),
    ...(last ? ([['Approved by', actorOf(last.approval)]] as const) : []),
    ...(eyes ? ([['Four eyes', html`${toned(eyes.answer)}. ${eyes.explanation}`]] as const) : []),
    ...(held_by === null ? [] : ([['Manual review', `required by the rule ${held_by}`]] as const)),
  ])}
<p class="quiet">A request chooses the name of a person. It cannot choose the label of its token.</p>
<h3>Decisions on this version, newest first</h3>
${tableOf(listDecisions(history), columns, { none: 'There is no decision yet.' })}
<h3>Decisions on other versions of the package, newest first</h3>
${tableOf(
  evidence.earlier,
  [
    { title: 'Version', value: ({ version }) => version },
    { title: 'Decision', value: ({ status }) => toned(status), kind: 'tight' },
    { title: 'Time', value: ({ at }) => timeOf(at), kind: 'tight' },
    { title: 'By', value: (decision) => actorOf(decision) },
    { title: 'Reason', value: ({ reason }) => quoteOf(reason) },
  ],
  { none: 'There are none among the latest entries of the package.' },
)}`;
};

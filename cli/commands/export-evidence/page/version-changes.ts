import type { VersionChange } from '../../../../shared/api/schemas/changes.ts';
import {
  cautionSince,
  describeChange,
  describeInterval,
  describeSinceStatus,
  describeUnknown,
  noEarlierVersion,
  noKnownChange,
} from '../../../../shared/domain/changes/describe-change.ts';
import { html, type Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { type Column, quoteOf, tableOf, timeOf } from './parts.ts';

type Described = ReturnType<typeof describeChange>;

const columns: readonly Column<Described>[] = [
  { title: 'Change', value: ({ kind }) => kind, kind: 'tight' },
  { title: 'Field', value: ({ field }) => field, kind: 'tight' },
  { title: 'Name', value: ({ name }) => name },
  { title: 'Values', value: ({ values }) => quoteOf(values.join(' → '), '') },
  {
    title: 'Remarks',
    value: ({ notes, firstPublishedAt }) => [
      notes.join('; '),
      firstPublishedAt === null
        ? null
        : html`${notes.length > 0 ? '; ' : ''}first published ${timeOf(firstPublishedAt)}`,
    ],
  },
];

/** Writes what changed since an earlier version, as the registry stored it before the decision. */
export const writeVersionChanges = ({ evidence: { changes } }: EvidenceReport): Markup => {
  if (!changes) return html`<p class="quiet">The version was not compared with an earlier one.</p>`;
  const { since, since_status, previous, change_count, unknown } = changes;
  const interval = describeInterval(changes);
  const published = html`<p>Published ${timeOf(changes.published_at, 'at an unknown time')}${
    previous && interval !== null ? `, ${interval} after ${previous.version}` : ''
  }.</p>`;
  if (since === null) return html`${published}<p>${noEarlierVersion}</p>`;
  const left = change_count - changes.changes.length;
  return html`${published}
<p>Changes since ${since} (${describeSinceStatus({ since_status })}):</p>
${tableOf(
  changes.changes.map((change: VersionChange) => describeChange(change)),
  columns,
  { none: noKnownChange },
)}
${left > 0 ? html`<p class="bad">The answer of the registry leaves out ${left} more changes.</p>` : null}
${[describeUnknown(unknown), cautionSince({ since, since_status })].map((remark) =>
  remark === null ? null : html`<p>${remark}</p>`,
)}`;
};

import { html, type Markup } from '../../../output/html.ts';
import { findLastApproval } from '../approvals.ts';
import { type ComparedValue, compareWithToday, findNewVulnerabilities } from '../changes-since.ts';
import type { EvidenceReport } from '../report.ts';
import { describeRecordScan } from './describe-scan.ts';
import { describeNoApproval } from './no-approval.ts';
import { listOf, tableOf, timeOf } from './parts.ts';
import { openColumns } from './vulnerability-columns.ts';

const isChanged = ({ then, now }: ComparedValue): boolean => then !== now;

/** Writes the evidence of the last approval beside the evidence of today. */
export const writeSinceApproval = (report: EvidenceReport): Markup => {
  const last = findLastApproval(report.history);
  if (!last) return html`<p class="quiet">${describeNoApproval(report)}</p>`;
  const { approval } = last;
  if (!approval.evidence) {
    return html`<p class="bad">The history has no evidence of the approval.</p>`;
  }
  const { scans, facts } = approval.evidence;
  return html`<p>Approved at ${timeOf(approval.at)}. Changed values are marked.</p>
${tableOf(
  compareWithToday(approval.evidence, report.evidence),
  [
    { title: 'Value', value: ({ what }) => what },
    { title: 'At the approval', value: ({ then }) => then },
    { title: 'Today', value: ({ now }) => now },
    { title: 'Changed', value: (row) => (isChanged(row) ? 'changed' : '') },
  ],
  { none: '', isMarked: isChanged },
)}
<h3>Scans in the evidence</h3>
${listOf(scans.map(describeRecordScan), 'The approval was made without a scan.')}
<h3>Upstream metadata in the evidence</h3>
<p>${facts ? html`Checked at ${timeOf(facts.checked_at)}, digest <code>${facts.digest}</code>.` : 'None.'}</p>
<h3>Open vulnerabilities that the scans of the approval did not have</h3>
${tableOf(findNewVulnerabilities(report.evidence, report.scans_of_approval), openColumns, {
  none: 'There are none.',
})}`;
};

import type { ScanResult } from '../../../../shared/api/schemas/scan.ts';
import { formatSeverityCounts } from '../../../../shared/domain/vulnerabilities/severity-counts.ts';
import { html, type Markup } from '../../../output/html.ts';
import { describeScan } from '../../../presentation/merged-scan.ts';
import { isUnfinished } from '../../../presentation/unscanned.ts';
import type { EvidenceReport } from '../report.ts';
import { type Column, quoteOf, tableOf, timeOf, toned } from './parts.ts';
import { acceptedColumns, notAffectingColumns, openColumns } from './vulnerability-columns.ts';

type Tool = ScanResult['tools'][number];

const toolColumns: readonly Column<Tool>[] = [
  { title: 'Tool', value: ({ tool }) => tool },
  { title: 'Token', value: ({ label }) => label },
  { title: 'Scan', value: ({ number }) => number, kind: 'tight' },
  { title: 'Status', value: ({ status }) => toned(status), kind: 'tight' },
  { title: 'Scanned', value: ({ scan_date }) => timeOf(scan_date), kind: 'tight' },
  {
    title: 'Confirmed',
    value: ({ confirmed_at }) => confirmed_at && timeOf(confirmed_at),
    kind: 'tight',
  },
  {
    title: 'Found',
    value: (tool) =>
      isUnfinished(tool) ? 'not known' : formatSeverityCounts(tool.severity) || 'nothing',
  },
  {
    title: 'Remarks',
    value: ({ reason, forced }) => [
      reason === null ? null : quoteOf(reason),
      forced ? ' The report names another image, package or version.' : null,
    ],
  },
];

const writeScan = (scan: ScanResult, title: string): Markup => {
  const affecting = scan.vulnerabilities.filter((one) => one.not_affecting === null);
  const open = affecting.filter(({ accepted }) => accepted === null);
  const accepted = affecting.filter((one) => one.accepted !== null);
  const harmless = scan.vulnerabilities.filter((one) => one.not_affecting !== null);
  return html`<h3>${title}</h3>
<p>${describeScan(scan)}. Newest scan at ${timeOf(scan.scan_date)}.</p>
${tableOf(open, openColumns, { none: 'No open vulnerabilities.' })}
${
  accepted.length > 0
    ? html`<h3>Accepted</h3>${tableOf(accepted, acceptedColumns, { none: '' })}`
    : null
}${
  harmless.length > 0
    ? html`<h3>Reported as not affecting this version</h3>${tableOf(harmless, notAffectingColumns, {
        none: '',
      })}`
    : null
}${
  scan.omitted > 0
    ? html`<p class="bad">The answer of the registry leaves out ${scan.omitted} more vulnerabilities.</p>`
    : null
}`;
};

/** Writes the merged scan of today with its tools, and the scans that the approval had as evidence. */
export const writeScans = ({ evidence: { scan }, scans_of_approval }: EvidenceReport): Markup => {
  const today = scan
    ? html`${tableOf(scan.tools, toolColumns, { none: 'No tools.' })}
${writeScan(scan, 'All findings today')}`
    : html`<p class="bad">The version has no scan. Its vulnerabilities are not known.</p>`;
  return html`${today}
${scans_of_approval.map((one) =>
  writeScan(one, `Evidence of the approval: scan by ${one.tools_used.join(', ')}`),
)}`;
};

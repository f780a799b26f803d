import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import { toCssString } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { formatTime } from './parts.ts';

/** Colours with a contrast of at least 4.5 to 1 on white, also in print. */
const screen = `
:root {
  color-scheme: light;
  --ink: #1b2026;
  --quiet: #56606b;
  --line: #d8dce1;
  --raised: #f4f5f7;
  --accent: #0a58a8;
  --good: #1c6a37;
  --warn: #7d4e00;
  --bad: #ad241b;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
body {
  max-width: 920px;
  margin: 0 auto;
  padding: 32px 24px 64px;
  background: #fff;
  color: var(--ink);
  font: 14px / 20px system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 24px; line-height: 32px; }
h2 { margin-top: 36px; padding-bottom: 4px; border-bottom: 2px solid var(--ink); font-size: 17px; line-height: 24px; }
h3 { margin-top: 20px; font-size: 14px; line-height: 20px; }
p, dl, .list, .scroll { margin-top: 8px; }
.scroll { overflow-x: auto; }
a { color: var(--accent); }
code, .mono { font-family: var(--mono); font-size: 12px; }
.kind { color: var(--quiet); font-weight: 600; }
.quiet { color: var(--quiet); }
.quote { white-space: pre-line; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
.badge {
  display: inline-block;
  padding: 0 8px;
  border: 1px solid currentColor;
  border-radius: 10px;
  font-size: 13px;
  font-weight: 600;
  vertical-align: middle;
}
.gaps { margin-top: 16px; padding: 12px 16px; border: 2px solid var(--bad); }
.gaps h2 { margin: 0; padding: 0; border: 0; color: var(--bad); }
.answers { margin-top: 20px; border: 1px solid var(--line); border-left: 4px solid var(--accent); }
.answers > div { display: grid; grid-template-columns: 180px 1fr; gap: 0 16px; padding: 10px 16px; }
.answers > div + div { border-top: 1px solid var(--line); }
.answers dt { font-weight: 600; }
.answers p { margin: 0 0 4px; }
.answers .list { margin-top: 0; }
.fields > div { display: grid; grid-template-columns: 180px 1fr; gap: 0 16px; padding: 3px 0; }
.fields dt { color: var(--quiet); }
.list { padding-left: 18px; }
.contents { margin-top: 16px; columns: 2; padding-left: 22px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; line-height: 18px; }
th, td { padding: 5px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--raised); color: var(--quiet); font-size: 12px; font-weight: 600; overflow-wrap: normal; }
td.tight { overflow-wrap: normal; }
time span { white-space: nowrap; }
tr.changed td { background: #fff6e0; }
pre { margin: 8px 0 0; padding: 10px 12px; background: var(--raised); white-space: pre-wrap; }
.for-print { display: none; }
.digest { font-family: var(--mono); font-size: 11px; line-height: 16px; word-break: break-all; }
footer { margin-top: 40px; padding-top: 8px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 12px; }
@media (max-width: 640px) {
  .answers > div, .fields > div { grid-template-columns: 1fr; }
  .contents { columns: 1; }
}
`;

const print = `
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; line-height: 14pt; }
  h1 { font-size: 17pt; line-height: 22pt; }
  h2 { margin-top: 18pt; font-size: 12.5pt; line-height: 17pt; }
  h3 { font-size: 10pt; }
  h2, h3, h2 + p, h3 + p { break-after: avoid; }
  h2 + p, h2 + dl, h3 + p { break-before: avoid; }
  .scroll { overflow: visible; }
  p { orphans: 3; widows: 3; }
  table { font-size: 8.5pt; line-height: 11.5pt; }
  th { font-size: 8pt; }
  thead { display: table-header-group; }
  tr, .answers > div, .fields > div, .gaps, #about { break-inside: avoid; }
  .badge, th, tr.changed td, .answers { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .contents, .envelope { display: none; }
  .for-print { display: block; }
  a { color: inherit; text-decoration: none; }
}
`;

/** Returns the rule for A4 pages. Each page names the version and the time of the export, and has its number. */
const writePageRule = ({ evidence, exported_at }: EvidenceReport): string => {
  const { ecosystem, name, version } = evidence.package;
  const subject = formatPackage({ ecosystem, name, version });
  // A longer name would move the number off the page.
  const shown = subject.length > 60 ? `${subject.slice(0, 59)}…` : subject;
  const note = toCssString(`${shown} · exported ${formatTime(exported_at)}`);
  const font = 'color: #56606b; font: 8pt / 11pt system-ui, sans-serif;';
  return `
@page {
  size: A4;
  margin: 16mm 15mm 18mm;
  @bottom-left { content: ${note}; ${font} white-space: nowrap; }
  @bottom-right { content: counter(page) " / " counter(pages); ${font} }
}
`;
};

/** Returns the style sheet of a report, for screens and for A4. */
export const writeStyle = (report: EvidenceReport): string =>
  `${screen}${print}${writePageRule(report)}`;

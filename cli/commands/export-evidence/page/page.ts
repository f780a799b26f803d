import { createHash } from 'node:crypto';
import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import { html, jsonElement, type Markup, styleElement, toHtml } from '../../../output/html.ts';
import { type EvidenceReport, reportFormat } from '../report.ts';
import { dataId } from './about.ts';
import { answersOf } from './answers.ts';
import { badgeOf, linkTo, timeOf } from './parts.ts';
import { sections } from './sections.ts';
import { writeStyle } from './style.ts';

/** Returns a policy that allows the one style sheet of the page, and neither scripts nor requests. */
const writePolicy = (style: string): string => {
  const digest = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
};

/** Writes what the report lacks, above everything else. */
const writeGaps = ({ gaps }: EvidenceReport): Markup | null =>
  gaps.length === 0
    ? null
    : html`<section class="gaps"><h2>This report is incomplete</h2><ul class="list">${gaps.map(
        ({ part, message }) => html`<li><strong>${part}</strong>: ${message}</li>`,
      )}</ul></section>`;

const writeHead = ({ evidence, registry, exported_at }: EvidenceReport): Markup => {
  const { ecosystem, name, version, status } = evidence.package;
  return html`<header>
<p class="kind">Evidence report</p>
<h1>${formatPackage({ ecosystem, name, version })} ${badgeOf(status)}</h1>
<p class="quiet">Exported at ${timeOf(exported_at)} from ${linkTo(registry.url)}. Evidence version <code>${
    evidence.evidence_version
  }</code>.</p>
</header>`;
};

/** Returns the report as one page that needs neither a network nor scripts, and prints on A4. */
export const writePage = (report: EvidenceReport): string => {
  const { ecosystem, name, version } = report.evidence.package;
  const style = writeStyle(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${writePolicy(style)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${reportFormat}">
<title>Evidence of ${formatPackage({ ecosystem, name, version })}</title>
${styleElement(style)}
</head>
<body>
${writeHead(report)}
${writeGaps(report)}
<main>
${answersOf(report)}
<nav aria-label="Contents"><ol class="contents">${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ol></nav>
${sections.map(
  ({ id, title, write }, at) => html`<section id="${id}"><h2>${at + 1}. ${title}</h2>
${write(report)}
</section>
`,
)}</main>
<footer>Times are in UTC. The data of this report is also in this file, as JSON.</footer>
${jsonElement(dataId, report)}
</body>
</html>
`;
  return toHtml(page);
};

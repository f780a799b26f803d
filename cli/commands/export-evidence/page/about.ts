import { html, type Markup } from '../../../output/html.ts';
import { type EvidenceReport, reportFormat } from '../report.ts';
import { fieldsOf, linkTo, timeOf } from './parts.ts';

/** The id of the element with the data of a report. */
export const dataId = 'evidence-report';

/** Writes where and when the report was made, and how programs read it. */
export const writeAbout = ({ registry, exported_at, evidence }: EvidenceReport): Markup =>
  html`${fieldsOf([
    ['Registry', linkTo(registry.url)],
    ['Page of the version', linkTo(registry.console)],
    ['Release of the registry', registry.version ?? 'not known'],
    ['Exported at', timeOf(exported_at)],
    ['Evidence version', html`<code>${evidence.evidence_version}</code>`],
  ])}
<p>The report has the answers of the registry at the time of the export. Everything that people and publishers wrote is shown as text, and hidden characters are shown by their code points, such as <code>&lt;U+202E&gt;</code>.</p>
<p>The answers are also in this file, as JSON of the format <code>${reportFormat}</code>, in the element with the id <code>${dataId}</code>.</p>`;

import { html, type Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { linkTo, tableOf } from './parts.ts';

/** Writes the files of the version with the digests that its approval pinned. */
export const writeFiles = ({ evidence: { files: known } }: EvidenceReport): Markup => {
  if (!known) return html`<p class="quiet">The list of files is not known.</p>`;
  const { pinned, total, files } = known;
  const left = total - files.length;
  return html`<p>${
    pinned
      ? 'The approval pinned these digests. The gate serves no other content.'
      : 'No approval pins these digests. They are the ones that an approval would pin.'
  }</p>
${tableOf(
  files,
  [
    { title: 'File', value: ({ file }) => file },
    { title: 'Digest', value: ({ digest }) => digest ?? 'none upstream', kind: 'digest' },
    { title: 'Address', value: ({ url }) => (url === null ? 'none' : linkTo(url)), kind: 'digest' },
  ],
  { none: 'There are no files.' },
)}
${left > 0 ? html`<p class="bad">The answer of the registry leaves out ${left} more files.</p>` : null}`;
};

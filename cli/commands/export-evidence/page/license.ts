import type { VersionEvidence } from '../../../../shared/api/schemas/evidence.ts';
import type { LicenseRecord } from '../../../../shared/api/schemas/license.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { actorOf, fieldsOf, linkTo, quoteOf, tableOf, timeOf, toned } from './parts.ts';

/** A license of one source. */
interface Stated {
  readonly source: string;
  readonly text: string | null;
  readonly normalized: string | null;
  readonly status: string | null;
}

const none = { text: null, normalized: null, status: null };

const listSources = ({
  license: { submitted, upstream, upstream_declaration: declared, effective },
}: VersionEvidence): readonly Stated[] => [
  { source: 'Submission', ...(submitted ?? none) },
  { source: `Package (declaration: ${declared})`, ...(upstream ?? none) },
  {
    ...(effective ?? none),
    source: `Effective${effective ? `, from ${effective.source}` : ''}`,
  },
];

const describeAnswer = (answer: boolean | null): string => {
  if (answer === null) return 'not known';
  return answer ? 'yes' : 'no';
};

const listTerms = (license: LicenseRecord): readonly (readonly [string, Content])[] => [
  ['License', license.title === null ? license.name : `${license.name} (${license.title})`],
  ['Category', license.category],
  ['Requires attribution', describeAnswer(license.requires_attribution)],
  ['Allows commercial use', describeAnswer(license.allows_commercial)],
  ['Text', license.url === null ? 'not known' : linkTo(license.url)],
  ['Status', toned(license.status)],
  [
    'Status set by',
    license.reviewed_at === null
      ? 'the policy of the deployment'
      : html`${actorOf({
          by: license.reviewed_by,
          token_label: license.reviewed_token_label,
        })} at ${timeOf(license.reviewed_at)}`,
  ],
  ['Note', quoteOf(license.note)],
];

/** Writes the licenses of the version with their sources, and the terms of the effective one. */
export const writeLicense = ({ evidence, license }: EvidenceReport): Markup => {
  const declared = evidence.facts?.licenses_declared ?? [];
  return html`${tableOf(
    listSources(evidence),
    [
      { title: 'Source', value: ({ source }) => source },
      { title: 'Text', value: ({ text }) => quoteOf(text) },
      { title: 'SPDX expression', value: ({ normalized }) => normalized ?? 'none' },
      { title: 'Status today', value: ({ status }) => (status === null ? '' : toned(status)) },
    ],
    { none: '' },
  )}
${
  declared.length > 0 ? html`<p>As upstream writes it: ${quoteOf(declared.join('; '))}</p>` : null
}${
  license
    ? html`<h3>Terms of the effective license</h3>${fieldsOf(listTerms(license))}`
    : html`<p class="quiet">The registry has no record of the effective license.</p>`
}`;
};

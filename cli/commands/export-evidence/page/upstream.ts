import type { VersionEvidence } from '../../../../shared/api/schemas/evidence.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';
import { describeProvenance } from '../../../presentation/provenance.ts';
import type { EvidenceReport } from '../report.ts';
import { fieldsOf, linkTo, quoteOf, timeOf, toned } from './parts.ts';

type Facts = NonNullable<VersionEvidence['facts']>;

const linkOrNone = (address: string | null): Content =>
  address === null ? quoteOf(null) : linkTo(address);

const describeScripts = ({ install_scripts }: Facts): string => {
  if (install_scripts === null) return 'not known';
  return install_scripts.length === 0 ? 'none' : install_scripts.join(', ');
};

const listFacts = (facts: Facts): readonly (readonly [string, Content])[] => [
  ['Checked at', timeOf(facts.checked_at)],
  [
    'Found upstream',
    html`${toned(facts.found)}${facts.reason === null ? null : html`: ${quoteOf(facts.reason)}`}`,
  ],
  ['Published', timeOf(facts.published_at, 'not known')],
  ['Latest version', facts.newest_version ?? 'not known'],
  ['Description', quoteOf(facts.description)],
  ['Homepage', linkOrNone(facts.homepage)],
  ['Repository', linkOrNone(facts.repository)],
  ['Deprecated', facts.deprecated === null ? 'no' : html`yes: ${quoteOf(facts.deprecated, '')}`],
  ['Yanked or unpublished', facts.yanked === null ? 'no' : html`yes: ${quoteOf(facts.yanked, '')}`],
  ['Install scripts', describeScripts(facts)],
  ['Provenance', describeProvenance(facts.provenance) ?? 'not known'],
];

/** Writes the upstream metadata of the version, and what the submission says about it. */
export const writeUpstream = ({ evidence: { facts, package: detail } }: EvidenceReport): Markup =>
  html`${facts ? fieldsOf(listFacts(facts)) : html`<p class="quiet">It was not collected yet.</p>`}
<h3>According to the submission</h3>
${fieldsOf([
  ['Description', quoteOf(detail.description)],
  ['Homepage', linkOrNone(detail.homepage)],
  ['Repository', linkOrNone(detail.repository)],
])}`;

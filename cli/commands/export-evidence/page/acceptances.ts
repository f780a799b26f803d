import type { Acceptance } from '../../../../shared/api/schemas/acceptance.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { type Column, quoteOf, tableOf, timeOf } from './parts.ts';
import { describeScopeOf } from './scope.ts';

const describeEnd = ({ ended }: Acceptance): Content => {
  if (!ended) return html`<strong>active</strong>`;
  const by = ended.by === null ? '' : ` by ${ended.by}`;
  return html`${ended.how}${by} at ${timeOf(ended.at)}${
    ended.reason === null ? null : html`: ${quoteOf(ended.reason)}`
  }`;
};

const columns: readonly Column<Acceptance>[] = [
  { title: 'Vulnerability', value: ({ id, number }) => `${id}, acceptance ${number}` },
  { title: 'Applies', value: (acceptance) => describeScopeOf(acceptance) },
  { title: 'Accepted by', value: ({ by, at }) => html`${by ?? 'no name'} at ${timeOf(at)}` },
  { title: 'Until', value: ({ expires_at }) => timeOf(expires_at), kind: 'tight' },
  { title: 'Reason', value: ({ reason }) => quoteOf(reason) },
  { title: 'State', value: describeEnd },
];

/** Writes the acceptances of risks that apply to the version, active and ended ones. */
export const writeAcceptances = ({ acceptances, gaps }: EvidenceReport): Markup =>
  tableOf(acceptances, columns, {
    none: gaps.some(({ part }) => part === 'risk acceptances')
      ? 'Not known: the registry did not return them.'
      : 'Nobody accepted the risk of a vulnerability of this version.',
  });

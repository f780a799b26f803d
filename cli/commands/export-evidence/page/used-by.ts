import { html, type Markup } from '../../../output/html.ts';
import type { EvidenceReport, ReportUsers } from '../report.ts';
import { tableOf } from './parts.ts';

const reasons: Readonly<Record<NonNullable<ReportUsers['missing']>, string>> = {
  token_required:
    'The projects are left out: the registry names them only to callers with a token, and the export had none.',
  not_loaded: 'The registry did not return the projects. Export the report again.',
};

const describeCount = ({ projects, projects_at_least }: NonNullable<ReportUsers['list']>) => {
  const count = projects === 1 ? '1 project uses' : `${projects} projects use`;
  return `${projects_at_least ? `At least ${count}` : count} the version.`;
};

/** Writes the number of projects that recorded the version, and the first of them with their owners. */
export const writeUsedBy = ({ used_by: { list, missing } }: EvidenceReport): Markup => {
  if (!list) {
    return html`<p class="${missing === 'token_required' ? 'quiet' : 'bad'}">${
      reasons[missing ?? 'not_loaded']
    }</p>`;
  }
  if (list.projects === 0) {
    return html`<p class="quiet">No recorded project uses the version.</p>`;
  }
  const { first, projects } = list;
  return html`<p>${describeCount(list)}${
    projects > first.length ? ` The table has the first ${first.length} by name.` : ''
  }</p>
${tableOf(
  first,
  [
    { title: 'Project', value: ({ project }) => project },
    { title: 'Owner', value: ({ owner }) => owner ?? 'not known' },
    { title: 'Branches and tags', value: ({ refs }) => refs.join(', ') },
  ],
  { none: '' },
)}`;
};

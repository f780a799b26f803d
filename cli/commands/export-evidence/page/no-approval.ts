import { html, type Markup } from '../../../output/html.ts';
import { type EvidenceReport, historyPart } from '../report.ts';
import { timeOf } from './parts.ts';

/** Says that the history has no approval. Only a complete history shows that there was none. */
export const describeNoApproval = ({ evidence, gaps }: EvidenceReport): Markup => {
  const { approved_at } = evidence.package;
  if (approved_at !== null) {
    return html`Not known. The version was approved at ${timeOf(approved_at)}, and the report does not have the entry of that approval.`;
  }
  return gaps.some(({ part }) => part === historyPart)
    ? html`Not known. The report has no approval, and its history is incomplete.`
    : html`Nobody. The version was never approved.`;
};

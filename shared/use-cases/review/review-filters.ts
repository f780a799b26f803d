import type { Review } from '../../api/schemas/review.ts';
import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import { toPackageKey } from '../../domain/packages/package-id.ts';
import { timelessIssues } from '../../domain/review/fact-issues.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import type { ListedRow } from './walk-reviews.ts';

/** True if rows alone leave out most versions that do not match a query. */
export const isSelective = (query: ReviewsQuery): boolean => {
  const { ecosystem, name, submitter, label, cause, status, issue, batch } = query;
  return (
    [submitter, cause].some((filter) => filter !== undefined) ||
    // A label and a package have lists of their own, which need no filter.
    (batch !== undefined && label !== undefined) ||
    (ecosystem !== undefined &&
      !(name !== undefined && batch === undefined && label === undefined)) ||
    ['approved', 'rejected'].includes(status) ||
    timelessIssues.some((code) => code === issue)
  );
};

/** True if a row shows the issue of a query, or cannot show whether its version has it. */
const mayHaveIssue = ({ signals }: ListedRow, { issue }: ReviewsQuery): boolean =>
  signals === undefined ||
  !timelessIssues.some((code) => code === issue) ||
  signals.some((code) => code === issue);

const isOfName = ({ id }: ListedRow, { ecosystem, name }: ReviewsQuery): boolean =>
  name === undefined ||
  ecosystem === undefined ||
  toPackageKey(id.ecosystem, id.name) === toPackageKey(ecosystem, name);

/** True if a row may match a query. All other filters need the review state. */
export const mayMatch = (row: ListedRow, query: ReviewsQuery): boolean =>
  (query.status === 'all' || row.status === query.status) &&
  (query.ecosystem === undefined || row.id.ecosystem === query.ecosystem) &&
  isOfName(row, query) &&
  (query.submitter === undefined || [row.submitted_by, row.submitter].includes(query.submitter)) &&
  (query.label === undefined || row.submitter === query.label) &&
  (query.cause === undefined || row.cause === query.cause) &&
  mayHaveIssue(row, query);

/** True if open vulnerabilities reach a severity. */
const reaches = ({ scan }: Review, severity: ReviewsQuery['severity']): boolean => {
  if (severity === undefined) return true;
  const reached =
    severity === 'unrated' ? [severity] : severities.slice(0, severities.indexOf(severity) + 1);
  return reached.some((one) => (scan?.severity[one] ?? 0) > 0);
};

const hasIssue = ({ issues }: Review, issue: ReviewsQuery['issue']): boolean => {
  if (issue === undefined) return true;
  return issue === 'none' ? issues.length === 0 : issues.some(({ code }) => code === issue);
};

/** True if a review matches a query. */
export const matches = (review: Review, query: ReviewsQuery): boolean =>
  (query.status === 'all' || review.status === query.status) &&
  hasIssue(review, query.issue) &&
  reaches(review, query.severity) &&
  (query.license_status === undefined || review.license_status === query.license_status) &&
  review.demand >= query.demand;

import type { ReviewSummary } from '../../shared/api/schemas/review-summary.ts';
import { defineCommand } from '../framework/define-command.ts';

const formatCounts = (counts: readonly (readonly [name: string, count: number])[]): string | null =>
  counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || null;

const formatAges = (ages: ReviewSummary['by_age']): string | null =>
  formatCounts(
    ages.map(({ from_days, versions }, at) => {
      const to = ages[at + 1]?.from_days;
      const bound =
        to === undefined ? `for ${from_days} days or more` : `for ${from_days} to ${to} days`;
      return [bound, versions];
    }),
  );

const presentSummary = ({ by_age, waits, issues, ...summary }: ReviewSummary): object => ({
  ...summary,
  waiting: formatAges(by_age),
  waits_for: formatCounts(Object.entries(waits)),
  issues: formatCounts(
    issues.map(({ code, versions, blocking }) => [
      blocking === 0 ? code : `${code} (${blocking} blocking)`,
      versions,
    ]),
  ),
});

export const queueSummary = defineCommand('summarizeReviews', {
  name: 'queue summary',
  examples: ['queue summary', 'queue summary --batch shop-2026-11 --json'],
  flags: { after: { description: 'continue a summary: `next` of the summary before' } },
  view: { presentAnswer: presentSummary },
});

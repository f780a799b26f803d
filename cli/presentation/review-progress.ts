import type { Review } from '../../shared/api/schemas/review.ts';

type Progress = Pick<Review, 'status' | 'rule' | 'waits_for' | 'waits_until'>;

/** What a version waits for, in words. Registries of later releases may send other words. */
const waitTexts: Readonly<Record<string, string>> = {
  facts: 'waits for its upstream metadata',
  scan: 'waits for its scan',
  rules: 'waits for rules, or for a review',
  age: 'waits for its age',
  freeze: 'waits for the end of the freeze',
  review: 'needs a review',
} satisfies Record<Review['waits_for'][number], string>;

/** Describes the progress of a review in a few words: `needs a review (rule scan-failed)`. */
const describeProgress = ({ status, rule, waits_for, waits_until }: Progress): string => {
  const by = rule === null ? '' : ` (rule ${rule})`;
  if (status !== 'pending') return `${status}${by}`;
  const words = waits_for.map((wait) => waitTexts[wait] ?? wait).join(', ');
  const until = waits_until === null ? '' : ` until ${waits_until.slice(0, 10)}`;
  return `${words}${until}${by}`;
};

/** Describes the progress of a review and its issues. */
export const describeReview = ({
  issues,
  ...progress
}: Pick<Review, 'issues'> & Progress): string =>
  [
    `${describeProgress(progress)}${issues.length > 0 ? '.' : ''}`,
    ...issues.map(({ message }) => message),
  ].join(' ');

import type { ReviewState } from '../reviews/review-state.ts';

/** What of a head nothing else tells of. */
export type HeadRest = Pick<
  ReviewState,
  'facts' | 'known_withdrawal' | 'evaluated_revision' | 'held_by' | 'evaluate_at'
>;

export const pickRest = (head: HeadRest): HeadRest => {
  const { facts, known_withdrawal, evaluated_revision, held_by, evaluate_at } = head;
  return { facts, known_withdrawal, evaluated_revision, held_by, evaluate_at };
};

/** Whether it is there at all. */
export const hasRest = (head: HeadRest): boolean =>
  Object.values(pickRest(head)).every((one) => one !== undefined);

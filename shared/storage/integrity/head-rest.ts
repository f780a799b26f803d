import type { Head } from '../reviews/review-state.ts';

/** What of a head nothing else tells of. */
export type HeadRest = Pick<
  Head,
  'facts' | 'known_withdrawal' | 'judged' | 'held_by' | 'judges_at'
>;

export const pickRest = (head: HeadRest): HeadRest => {
  const { facts, known_withdrawal, judged, held_by, judges_at } = head;
  return { facts, known_withdrawal, judged, held_by, judges_at };
};

/** Whether it is there at all. */
export const hasRest = (head: HeadRest): boolean =>
  Object.values(pickRest(head)).every((one) => one !== undefined);

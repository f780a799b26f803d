import type { AutomaticSubmission } from '../../api/schemas/automatic-submission.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';

/** Returns why the registry submitted a version itself, without the token of an install; null if a request submitted it. */
export const showAutomatic = ({
  automatic,
}: Pick<ReviewState, 'automatic'>): AutomaticSubmission | null => {
  if (!automatic) return null;
  const { cause, of, fixes } = automatic;
  const parent = of && { ecosystem: of.ecosystem, name: of.name, version: of.version };
  return { cause, of: parent, fixes: [...fixes] };
};

/** When a rule matches a version that lacks only its minimum age. */
export interface NextEvaluation {
  /** ISO 8601. */
  readonly at: string;
  /** Name of the rule. */
  readonly rule: string;
}

/** Result of the last policy evaluation of a pending version. */
interface Evaluated {
  readonly held_by: string | null;
  readonly next_evaluation: NextEvaluation | null;
}

/** Describes what a pending version waits for, as the end of a sentence: `waits until 2026-11-30 for its age (rule age)`. */
export const describeWait = ({ held_by, next_evaluation }: Evaluated): string => {
  const review = held_by ? `needs manual review (rule ${held_by})` : 'waits for review';
  if (!next_evaluation) return review;
  const { at, rule } = next_evaluation;
  const age = `until ${at.slice(0, 10)} for its age (rule ${rule})`;
  return held_by ? `${review}, or waits ${age}` : `waits ${age}`;
};

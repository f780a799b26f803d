/** Maximum length of a comment, in characters. */
export const maxCommentLength = 2000;

/** Entry of a history, as far as questions depend on it. */
interface Entry {
  readonly type: string;
  readonly question?: boolean;
}

/** Types of entries that answer all questions before them. */
const decisions: readonly string[] = ['package.approved', 'package.rejected'];

/**
 * Returns the open questions of a history, the newest first: those after the latest decision, and after the latest comment
 * that is no question.
 */
export const findOpenQuestions = <T extends Entry>(newestFirst: readonly T[]): T[] => {
  const isAnswer = ({ type, question }: Entry) =>
    decisions.includes(type) || (type === 'package.commented' && question !== true);
  const answer = newestFirst.findIndex(isAnswer);
  const since = answer < 0 ? newestFirst : newestFirst.slice(0, answer);
  return since.filter(({ type }) => type === 'package.commented');
};

import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { QuotedText } from '../parts/quoted-text.tsx';
import { Line } from '../parts/text.tsx';

interface OpenQuestionsProps {
  /** The open questions about the version, the newest first. */
  readonly questions: readonly HistoryEntry[];
}

/** The newest open question about a version, and how many others there are, above the buttons of a decision. */
export const OpenQuestions = ({ questions: [newest, ...others] }: OpenQuestionsProps) => {
  if (!newest) return null;
  const by = describeActor(newest);
  const label = (
    <>
      Question{by !== null && ' by '}
      {by !== null && <Line text={by} />}
      {others.length > 0 && `, and ${others.length} more in the history`}
    </>
  );
  return (
    <div class="open-questions">
      <QuotedText label={label} text={newest.reason ?? ''} />
    </div>
  );
};

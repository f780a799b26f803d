import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { Line } from './text.tsx';
import { Time } from './time.tsx';

interface MomentProps {
  readonly at: string;
  readonly by: string | null | undefined;
  /** The label of the token that it was done with. */
  readonly label: string | null;
}

/** When something was done, and by whom, where that is known. */
export const TimeAndActor = ({ at, by, label }: MomentProps) => (
  <>
    <Time at={at} />
    {by && (
      <>
        {' by '}
        <Line text={describeActor({ by, token_label: label }) ?? ''} />
      </>
    )}
  </>
);

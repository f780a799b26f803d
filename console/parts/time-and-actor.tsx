import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { Line } from './text.tsx';
import { Time } from './time.tsx';

interface MomentProps {
  readonly at: string;
  readonly by: string | null | undefined;
  /** The label of the token; null without one. */
  readonly label: string | null;
  /** Returns the actor for display. */
  readonly describe?: typeof describeActor;
}

/** The time of an action, and who did it if known: `3 d ago by alice`. */
export const TimeAndActor = ({ at, by, label, describe = describeActor }: MomentProps) => (
  <>
    <Time at={at} />
    {by && (
      <>
        {' by '}
        <Line text={describe({ by, token_label: label }) ?? ''} />
      </>
    )}
  </>
);

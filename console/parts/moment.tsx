import { Line } from './text.tsx';
import { Time } from './time.tsx';

interface MomentProps {
  readonly at: string;
  readonly by: string | null | undefined;
}

/** When something was done, and by whom, where that is known. */
export const Moment = ({ at, by }: MomentProps) => (
  <>
    <Time at={at} />
    {by && (
      <>
        {' by '}
        <Line text={by} />
      </>
    )}
  </>
);

import type { AutomaticSubmission } from '../../shared/api/schemas/automatic-submission.ts';
import { describeAutomatic } from '../../shared/domain/review/automatic-submission.ts';
import { Line } from './text.tsx';

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Why the registry submitted a version: `Security fix of 4.17.20`. The label of a security fix is prominent. */
export const AutomaticLabel = ({ automatic }: { readonly automatic: AutomaticSubmission }) => {
  const text = capitalize(describeAutomatic(automatic));
  const isFix = automatic.cause === 'security_fix';
  return (
    <span class={isFix ? 'cause fix' : 'cause'}>
      <Line text={text} />
    </span>
  );
};

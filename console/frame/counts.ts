import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { useOutcomes } from '../decisions/outcomes.ts';
import { useSession } from '../session/session.ts';
import { useHappened } from './happenings.ts';

/** What the frame counts: what waits for a decision, and what needs attention. */
export interface Counts {
  readonly pending: string;
  readonly attention: string;
}

/** Changes come in bursts. */
const afterMs = 500;

/** How many of each there are; blank until that is known. What was known stays while it is counted anew. */
export const useCounts = (): Counts => {
  const { api } = useSession();
  const happened = useHappened();
  const decided = [...useOutcomes().values()].reduce((sum, { news }) => sum + news, 0);
  const [shown, setShown] = useState<Counts>({ pending: '', attention: '' });
  const { value } = useAnswer(
    `${happened} ${decided}`,
    async (signal) => {
      const [pending, attention] = await Promise.all([
        api.listPackages({ query: { status: 'pending', limit: 1 } }, { signal }),
        api.listAttention({ query: { limit: 100 } }, { signal }),
      ]);
      const { length } = attention.attention;
      return {
        pending: pending.total.toLocaleString('en'),
        attention: attention.next === null ? String(length) : `${length}+`,
      };
    },
    { afterMs },
  );
  useEffect(() => {
    if (value) setShown(value);
  }, [value]);
  return shown;
};

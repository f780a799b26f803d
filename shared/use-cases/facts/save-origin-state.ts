import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import {
  dropFailingOrigin,
  isOriginFailing,
  putFailingOrigin,
} from '../../storage/reviews/origin-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';

/** Origins that answered in a batch of fetches, and origins that failed for temporary reasons. */
export interface OriginOutcomes {
  readonly answered: ReadonlySet<Ecosystem>;
  readonly failed: ReadonlySet<Ecosystem>;
}

const noteOrigin = async (ecosystem: Ecosystem, isFailing: boolean, deadline: Deadline) => {
  if ((await isOriginFailing(ecosystem)) === isFailing) return;
  logEvent(isFailing ? 'warn' : 'info', isFailing ? 'origin_failing' : 'origin_back', {
    ecosystem,
  });
  const write = isFailing ? putFailingOrigin(ecosystem, new Date()) : dropFailingOrigin(ecosystem);
  await transact([write], deadline);
};

/**
 * Saves which origins are failing, so that the refresh schedule sends them few versions until one answers. A storage
 * failure is only logged: it costs no version its facts.
 */
export const saveOriginState = async (
  { answered, failed }: OriginOutcomes,
  deadline: Deadline,
): Promise<void> => {
  for (const ecosystem of new Set([...answered, ...failed])) {
    try {
      await noteOrigin(ecosystem, !answered.has(ecosystem), deadline);
    } catch (error) {
      logEvent('error', 'origin_not_noted', { ecosystem, error });
    }
  }
};

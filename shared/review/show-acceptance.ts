import { maxAnswerBytes, takeFitting } from '../domain/answer-size.ts';
import type { Acceptance as LiveAcceptance } from '../domain/scans/acceptance.ts';
import type { Acceptance } from '../schemas/acceptance.ts';
import {
  type EndedAcceptance,
  listAcceptances,
  listEndedAcceptances,
} from '../store/vulnerabilities/acceptances.ts';

/** How it ended: as is kept; or by itself a moment ago, before that was noted. */
const findEnd = (
  acceptance: LiveAcceptance & Partial<EndedAcceptance>,
  now: Date,
): Acceptance['ended'] => {
  const { ended, expires_at } = acceptance;
  if (ended) {
    const { how, at, by, reason } = ended;
    return { how, at, by, reason };
  }
  if (Date.parse(expires_at) > now.getTime()) return null;
  return { how: 'expired', at: expires_at, by: null, reason: null };
};

/** An acceptance as it is at a moment. */
export const showAcceptance = (
  acceptance: LiveAcceptance & Partial<EndedAcceptance>,
  now: Date,
): Acceptance => {
  const { id, number, reason, expires_at, ecosystem, name, version, by, at } = acceptance;
  return {
    ...{ id, number, reason, expires_at, ecosystem, name, version, by, at },
    ended: findEnd(acceptance, now),
  };
};

const mostEnded = 100;

/** All acceptances of an id that hold, and the last ones that ended; the newest first. */
export const showAcceptances = async (id: string, now: Date): Promise<Acceptance[]> => {
  const [live, ended] = await Promise.all([
    listAcceptances(id),
    listEndedAcceptances(id, mostEnded),
  ]);
  // The versions that have it are in the same answer.
  return takeFitting(
    [...live, ...ended].map((acceptance) => showAcceptance(acceptance, now)),
    maxAnswerBytes / 2,
  );
};

import type { RegistryEvent } from '../../api/schemas/event.ts';
import { isSignedEvent } from '../../domain/attestations/decision-statement.ts';
import { findSigned } from '../../storage/attestations/attestation-items.ts';
import { findRecord } from '../../storage/decisions/records.ts';
import { listEvents } from '../../storage/events/events.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import {
  signDecision,
  toUnsignedDecision,
  UnsignableError,
  type UnsignedDecision,
} from './sign-decision.ts';
import { parallelSignatures } from './sign-decisions.ts';

/** Events that one step reads. */
const eventsAStep = 100;

/** Time that a step may take, in milliseconds. */
const stepMs = 30_000;

/** Result of an invocation. `next` is the sequence number with which to continue; null at the end of all events. */
export interface SignedPast {
  readonly signed: number;
  readonly next: number | null;
}

const findDecision = async (event: RegistryEvent): Promise<UnsignedDecision[]> => {
  const { type, ecosystem, name, version } = event;
  if (!isSignedEvent(type) || !ecosystem || !name || !version) return [];
  const record = await findRecord({ ecosystem, name, version }, event);
  const unsigned = record && toUnsignedDecision(record);
  return unsigned ? [unsigned] : [];
};

/** Signs a decision. Returns false for one of which no statement can be made, which is logged. */
const signOne = async (unsigned: UnsignedDecision): Promise<boolean> => {
  try {
    await signDecision(unsigned);
    return true;
  } catch (error) {
    if (!(error instanceof UnsignableError)) throw error;
    logEvent('error', 'decision_not_signed', { record: unsigned.decision.id, error });
    return false;
  }
};

/** Signs the unsigned decisions of some events. Returns their number. */
const signStep = async (events: readonly RegistryEvent[]): Promise<number> => {
  const found = (await runInParallel(events, parallelSignatures, findDecision)).flat();
  const signed = await findSigned(found.map(({ decision }) => decision));
  const unsigned = found.filter(({ decision }) => !signed.has(decision.id));
  const outcomes = await runInParallel(unsigned, parallelSignatures, signOne);
  return outcomes.filter(Boolean).length;
};

/**
 * Signs decisions without an attestation, in the order of events, after a sequence number. Such decisions are older than
 * the setting, or their signature failed for too long. Ends early when its time is over.
 */
export const signPastDecisions = async (after: number, deadline: Deadline): Promise<SignedPast> => {
  let [last, signed] = [after, 0];
  while (deadline.remainingMs() > stepMs) {
    const events = await listEvents(last, eventsAStep);
    const end = events.at(-1)?.sequence;
    if (end === undefined) return { signed, next: null };
    signed += await signStep(events);
    last = end;
  }
  return { signed, next: last };
};

/** One client of the registry, and what it tells of what it did. */
import * as z from 'zod';
import { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { type Outcome, undone } from '../../use-cases/review/history.ts';
import type { Ask, Send, Told } from '../rig/answers.ts';

const Refusal = z.looseObject({ code: z.string(), detail: z.string() });

/** What one thing came to, or one of many in one request. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly isReplayed: boolean;
}

/** An answer that the registry must not give, whatever befalls it. */
class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';
}

const parseBody = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/** Refusals on the registry's side that leave everything as it was. */
const leavesAll: ReadonlySet<string> = new Set([...undone, 'tokens_unavailable', 'not_attempted']);

/** Whether a thing may be asked again: nobody knows what became of it, or nothing did. */
export const isOpen = (outcome: { readonly kind: string }): boolean =>
  outcome.kind === 'unknown' || outcome.kind === 'undone';

/** What an answer of the registry's tells, `read` from its body where it was done. */
export const judgeAnswer = <Done extends object>(
  answered: Answered | undefined,
  read: (body: unknown) => Done,
):
  | Done
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'undone' | 'unknown' } => {
  if (!answered) return { kind: 'unknown' };
  const { status, body } = answered;
  if (status < 300) return read(body);
  const { code, detail: message } = Refusal.parse(body);
  if (leavesAll.has(code)) return { kind: 'undone' };
  if (code === 'outcome_unknown' || code === 'timeout') return { kind: 'unknown' };
  if (status >= 500) throw new WrongAnswerError(`${status} ${code}: ${message}`);
  return { kind: 'refused', code, message };
};

export const judgePackage = (answered: Answered | undefined): Outcome =>
  judgeAnswer(answered, (body) => ({ kind: 'done', detail: PackageDetail.loose().parse(body) }));

const toAnswered = ({ status, headers, text }: Told): Answered => ({
  status,
  body: parseBody(text),
  isReplayed: String(headers['idempotency-replayed']) === 'true',
});

/** Asks once; undefined where nothing whole came back. */
export const askOnce = async (send: Send, ask: Ask): Promise<Answered | undefined> => {
  const told = await send(ask).catch(() => undefined);
  return told && toAnswered(told);
};

/** How often a request with a key is sent in all, until its answer says what became of it. */
const mostAttempts = 5;

/** Asks again with the same key while it is open what became of it. */
export const askUntilKnown = async <O extends { readonly kind: string }>(
  ask: () => Promise<O>,
  attempts: number = mostAttempts,
): Promise<O> => {
  let outcome = await ask();
  let isUnknown = outcome.kind === 'unknown';
  for (let attempt = 1; attempt < attempts && isOpen(outcome); attempt += 1) {
    outcome = await ask();
    isUnknown ||= outcome.kind === 'unknown';
  }
  return isOpen(outcome) && isUnknown ? { ...outcome, kind: 'unknown' } : outcome;
};

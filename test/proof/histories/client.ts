/** One client of the registry, with the outcomes of its requests. */
import * as z from 'zod';
import { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { type Outcome, undone } from '../../use-cases/review/history.ts';
import type { Ask, Reply, Send } from '../rig/answers.ts';

const Refusal = z.looseObject({ code: z.string(), detail: z.string() });

/** The outcome of a request, or of one item of a batch request. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly isReplayed: boolean;
}

/** A response that the registry must never send, even after a fault. */
class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';
}

const parseBody = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/** Errors of the registry that change nothing. */
const leavesAll: ReadonlySet<string> = new Set([...undone, 'tokens_unavailable', 'not_attempted']);

/** True if the client may repeat the request: its outcome is unknown, or it had no effect. */
export const isOpen = (outcome: { readonly kind: string }): boolean =>
  outcome.kind === 'unknown' || outcome.kind === 'undone';

/** Returns the outcome in a response; `read` parses the body of a success. */
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

const toAnswered = ({ status, headers, text }: Reply): Answered => ({
  status,
  body: parseBody(text),
  isReplayed: String(headers['idempotency-replayed']) === 'true',
});

/** Sends a request once. Resolves to undefined without a complete response. */
export const askOnce = async (send: Send, ask: Ask): Promise<Answered | undefined> => {
  const reply = await send(ask).catch(() => undefined);
  return reply && toAnswered(reply);
};

/** The most attempts of a request with a key, until its outcome is known. */
const mostAttempts = 5;

/** Repeats a request with the same key while its outcome is unknown. */
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

import { useCallback, useEffect, useState } from 'preact/hooks';
import { RequestError } from '../../shared/client/request-error.ts';

/** What is known of an answer: while it is asked for again, what was answered before is still there. */
export interface Answered<T> {
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Known<T> {
  readonly key: string;
  readonly value?: T;
  readonly error?: RequestError;
}

/** What is shown of any error: refusals have a sentence of the registry's own. */
export const toRequestError = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : new RequestError({ code: 'unexpected_answer', detail: String(error), cause: error });

/** Asks whenever the key changes, and ends what was asked before. Waits a moment first, if given: keys may change fast. */
export const useAnswer = <T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { afterMs = 0 }: { readonly afterMs?: number } = {},
): Answered<T> => {
  const [known, setKnown] = useState<Known<T>>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (settled: Omit<Known<T>, 'key'>): void => {
      if (!signal.aborted) setKnown({ key, ...settled });
    };
    const timer = setTimeout(() => {
      ask(signal).then(
        (value) => settle({ value }),
        (error: unknown) => settle({ error: toRequestError(error) }),
      );
    }, afterMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, round]);
  const isCurrent = known?.key === key;
  return {
    value: isCurrent ? known.value : undefined,
    error: isCurrent ? known.error : undefined,
    isLoading: !isCurrent,
    reload: useCallback(() => setRound((before) => before + 1), []),
  };
};

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { noteConnectionLost, useReconnectCount } from './connection.ts';
import { toRequestError } from './to-request-error.ts';

/** What is known of an answer: while it is asked for again, what was answered before is still there. */
export interface QueryState<T> {
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  /** How often an answer came, or failed to. */
  readonly reads: number;
  /** How often it failed since it last came. */
  readonly failures: number;
  readonly reload: () => void;
}

type Known<T> = Pick<QueryState<T>, 'value' | 'error' | 'reads' | 'failures'> & {
  readonly key: string;
};

const isUnreachable = (error: RequestError | undefined): boolean => error?.status === null;

/** Returns what is known after an answer, or after a failure: what was answered before stays then. */
const settle = <T>(
  before: Known<T> | undefined,
  { key, value, error }: Pick<Known<T>, 'key' | 'value' | 'error'>,
): Known<T> => {
  const same = before?.key === key ? before : undefined;
  const reads = (same?.reads ?? 0) + 1;
  if (!error) return { key, value, error, reads, failures: 0 };
  return { key, value: same?.value, error, reads, failures: (same?.failures ?? 0) + 1 };
};

/** Asks whenever the key changes, and ends what was asked before. Waits a moment first, if given: keys may change fast. */
export const useQuery = <T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { afterMs = 0 }: { readonly afterMs?: number } = {},
): QueryState<T> => {
  const [known, setKnown] = useState<Known<T>>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const note = (settled: Pick<Known<T>, 'value' | 'error'>): void => {
      if (signal.aborted) return;
      if (isUnreachable(settled.error)) noteConnectionLost();
      setKnown((before) => settle(before, { key, ...settled }));
    };
    const timer = setTimeout(() => {
      ask(signal).then(
        (value) => note({ value, error: undefined }),
        (error: unknown) => note({ value: undefined, error: toRequestError(error) }),
      );
    }, afterMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, round]);
  const current = known?.key === key ? known : undefined;
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const returns = useReconnectCount();
  useEffect(() => {
    if (isUnreachable(current?.error)) reload();
  }, [returns]);
  return {
    value: current?.value,
    error: current?.error,
    isLoading: !current,
    reads: current?.reads ?? 0,
    failures: current?.failures ?? 0,
    reload,
  };
};

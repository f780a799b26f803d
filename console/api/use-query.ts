import { useCallback, useEffect, useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { noteConnectionLost, useReconnectCount } from './connection.ts';
import { toRequestError } from './to-request-error.ts';

/** The state of a query. While it loads again, `value` is the previous answer. */
export interface QueryState<T> {
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  /** The number of finished requests, with failures. */
  readonly reads: number;
  /** The number of failures since the last answer. */
  readonly failures: number;
  readonly reload: () => void;
}

type Known<T> = Pick<QueryState<T>, 'value' | 'error' | 'reads' | 'failures'> & {
  readonly key: string;
};

const isUnreachable = (error: RequestError | undefined): boolean => error?.status === null;

/** Returns the state after an answer or a failure. A failure keeps the previous value. */
const settle = <T>(
  before: Known<T> | undefined,
  { key, value, error }: Pick<Known<T>, 'key' | 'value' | 'error'>,
): Known<T> => {
  const same = before?.key === key ? before : undefined;
  const reads = (same?.reads ?? 0) + 1;
  if (!error) return { key, value, error, reads, failures: 0 };
  return { key, value: same?.value, error, reads, failures: (same?.failures ?? 0) + 1 };
};

/**
 * Loads a value whenever the key changes, and aborts the previous request. With `afterMs`, it waits first, because keys
 * may change fast. After a reconnect, a failed query loads again.
 */
export const useQuery = <T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
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
      load(signal).then(
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

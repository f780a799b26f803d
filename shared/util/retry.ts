import { setTimeout as delay } from 'node:timers/promises';

/** An attempt that failed, for deciding whether there is another one. */
export interface FailedAttempt {
  readonly error: unknown;
  /** How many attempts failed before this one. */
  readonly earlier: number;
  readonly tookMs: number;
}

/**
 * Attempts something until it succeeds. After each failure, `pauseAfter` says for how many milliseconds to wait before
 * the next attempt. It throws to end the attempts. The signal ends a pause.
 */
export const retry = async <T>(
  attempt: () => Promise<T>,
  pauseAfter: (failed: FailedAttempt) => number,
  signal?: AbortSignal,
): Promise<T> => {
  for (let earlier = 0; ; earlier += 1) {
    const began = performance.now();
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = pauseAfter({ error, earlier, tookMs: performance.now() - began });
      await delay(pauseMs, undefined, { signal });
    }
  }
};

/** The longest pause after so many failures: it doubles with each of them, up to a limit. */
export const longestPauseMs = (
  earlier: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): number => Math.min(longestMs, firstMs * 2 ** earlier);

/** How long a `Retry-After` header asks to wait, in milliseconds: it says seconds or a date (RFC 9110). Undefined if it is absent or neither. */
export const parseRetryAfter = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

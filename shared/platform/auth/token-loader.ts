import { parseTokenList, type TokenList } from '../../domain/tokens/token-list.ts';
import { exponentialDelay } from '../../util/retry.ts';

/** Age at which a list is fetched again. */
const listLifetimeMs = 60_000;
/** Minimum time between two fetches of one function instance, also after failures. */
const refreshIntervalMs = 10_000;
/** Delays between fetches until the first list is loaded. */
const firstDelays = exponentialDelay({ firstMs: 100, longestMs: refreshIntervalMs });
/** Maximum age of a list in use while Secrets Manager does not answer. */
const staleLimitMs = 600_000;

interface LoadedList {
  readonly list: TokenList;
  /** Start of the fetch, in epoch milliseconds. Tokens that were revoked later may still be in the list. */
  readonly asOf: number;
}

interface LoaderParts {
  /** Returns the secret's current value. Rejects if the value is unavailable. */
  readonly fetchValue: () => Promise<string>;
  /** Returns the time in epoch milliseconds. A monotonic clock may stop while Lambda freezes the function. */
  readonly now: () => number;
  /** Receives an event for each failed fetch and each loaded list. */
  readonly report: (event: LoadEvent) => void;
}

export type LoadEvent =
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'loaded';
      readonly tokens: number;
      readonly malformed: readonly number[];
      readonly short: readonly number[];
    };

export interface TokenLoader {
  /** Returns the current list; undefined if no list is loaded that is fresh enough. */
  current(): Promise<TokenList | undefined>;
  /** Returns the list after an unknown token. Fetches it again, unless the last fetch was moments ago. */
  refreshed(): Promise<TokenList | undefined>;
}

/** Returns the loader of a function instance's token list. It follows the limits above, with one fetch at a time. */
export const createTokenLoader = ({ fetchValue, now, report }: LoaderParts): TokenLoader => {
  let loaded: LoadedList | undefined;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let underWay: Promise<void> | undefined;

  /** True if `moment` is less than `ms` ago. After the clock was set back, each future moment counts as old. */
  const isWithin = (moment: number, ms: number): boolean => {
    const age = now() - moment;
    return age >= 0 && age < ms;
  };

  /** Returns the minimum time between fetches. Without any list all requests fail, so the first retries come sooner. */
  const pauseMs = (): number =>
    loaded || failures === 0 ? refreshIntervalMs : firstDelays(failures - 1);

  const load = async (): Promise<void> => {
    const asOf = now();
    lastAttempt = asOf;
    try {
      const list = parseTokenList(await fetchValue());
      loaded = { list, asOf };
      const { entries, malformed, short } = list;
      report({ kind: 'loaded', tokens: entries.length, malformed, short });
    } catch (error) {
      failures += 1;
      report({ kind: 'failed', error });
    }
  };

  const refresh = async (): Promise<void> => {
    if (!underWay && isWithin(lastAttempt, pauseMs())) return;
    underWay ??= load().finally(() => {
      underWay = undefined;
    });
    await underWay;
  };

  const usable = (): TokenList | undefined =>
    loaded && isWithin(loaded.asOf, staleLimitMs) ? loaded.list : undefined;

  return {
    async current() {
      if (!loaded || !isWithin(loaded.asOf, listLifetimeMs)) await refresh();
      return usable();
    },
    async refreshed() {
      await refresh();
      return usable();
    },
  };
};

import { parseTokenList, type TokenList } from '../../domain/tokens/token-list.ts';
import { exponentialDelay } from '../../util/retry.ts';

/** How long a list is used before it is fetched again. */
const listLifetimeMs = 60_000;
/** The shortest time between two fetches of one function instance, also after failures. */
const refreshIntervalMs = 10_000;
/** The delays between fetches until the first list is loaded. */
const firstDelays = exponentialDelay({ firstMs: 100, longestMs: refreshIntervalMs });
/** The last good list serves at most this long while Secrets Manager does not answer. */
const staleLimitMs = 600_000;

interface LoadedList {
  readonly list: TokenList;
  /** When its fetch began: what was revoked later may still be in it. */
  readonly asOf: number;
}

interface LoaderParts {
  /** The secret's current value. Rejects when there is none to be had. */
  readonly fetchValue: () => Promise<string>;
  /** Epoch milliseconds. The wall clock: a monotonic one may stand still while Lambda freezes the function. */
  readonly now: () => number;
  /** Told of each fetch that failed and of each list with something wrong in it. */
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
  /** The list to judge by; undefined when none could be loaded that is fresh enough. */
  current(): Promise<TokenList | undefined>;
  /** The list after an unknown token: asks again, unless that was done moments ago. */
  refreshed(): Promise<TokenList | undefined>;
}

/** Keeps the token list of one function instance as fresh as the bounds above say, with one fetch at a time. */
export const createTokenLoader = ({ fetchValue, now, report }: LoaderParts): TokenLoader => {
  let loaded: LoadedList | undefined;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let underWay: Promise<void> | undefined;

  /** Whether a moment lies less than `ms` back. A clock that was set back makes everything old. */
  const isWithin = (moment: number, ms: number): boolean => {
    const age = now() - moment;
    return age >= 0 && age < ms;
  };

  /** The shortest time from one fetch to the next: without any list, every request is refused, and soon tried again. */
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

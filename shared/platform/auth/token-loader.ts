import { measureList } from '../../domain/tokens/list-size.ts';
import { parseTokenList, type TokenList } from '../../domain/tokens/token-list.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';

/** Limits of the token list, in milliseconds. */
const limits = { lifetimeMs: 60_000, refreshIntervalMs: 10_000, staleLimitMs: 600_000 };

interface LoaderParts {
  /** Returns the secret's current value. Rejects if the value is unavailable. */
  readonly fetchValue: () => Promise<string>;
  /** Returns the time in epoch milliseconds. */
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
      readonly bytes: number;
    };

/** The token list of a function instance. */
export type TokenLoader = CachedValue<TokenList>;

/** Returns the loader of a function instance's token list. */
export const createTokenLoader = ({ fetchValue, now, report }: LoaderParts): TokenLoader =>
  createCachedValue({
    ...limits,
    now,
    noteFailure: (error) => report({ kind: 'failed', error }),
    load: async () => {
      const value = await fetchValue();
      const list = parseTokenList(value);
      const { entries, malformed, short } = list;
      const bytes = measureList(value);
      report({ kind: 'loaded', tokens: entries.length, malformed, short, bytes });
      return list;
    },
  });

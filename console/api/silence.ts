import { createStore, useStore } from '../frame/store.ts';

interface Silence {
  /** Since when the registry cannot be reached; null while it can. */
  readonly since: number | null;
  /** How often it could be reached again. */
  readonly ends: number;
}

const silence = createStore<Silence>({ since: null, ends: 0 });

/** Notes that the registry did not answer. */
export const noteSilence = (): void =>
  silence.set(({ since, ends }) => ({ since: since ?? Date.now(), ends }));

/** Notes that the registry answered. Returns whether it could not be reached before. */
export const noteAnswer = (): boolean => {
  const isEnd = silence.get().since !== null;
  if (isEnd) silence.set(({ ends }) => ({ since: null, ends: ends + 1 }));
  return isEnd;
};

/** Since when the registry cannot be reached; null while it can. */
export const useSilence = (): number | null => useStore(silence).since;

/** Counts how often the registry could be reached again: what failed meanwhile is worth another try. */
export const useReturns = (): number => useStore(silence).ends;

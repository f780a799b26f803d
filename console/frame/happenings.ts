import { useEffect } from 'preact/hooks';
import type { RegistryClient } from '../../shared/client/operations.ts';
import type { RegistryEvent } from '../../shared/schemas/event.ts';
import { toRequestError } from '../api/use-answer.ts';
import { noteOutcome } from '../decisions/outcomes.ts';
import { createStore, useStore } from './store.ts';

/** Asked so often while somebody looks: an answer without news is a read of nothing. */
const everyMs = 4000;

/** Whether the registry answers, and since when not. */
const silence = createStore<number | null>(null);

/** Since when the registry cannot be reached; null while it can. */
export const useSilence = (): number | null => useStore(silence);

/** Counts what happened that lists may show. */
const happened = createStore(0);

export const useHappened = (): number => useStore(happened);

/** Has lists be read again: the registry knows more than they show. */
export const readListsAgain = (): void => happened.set((count) => count + 1);

const follow = ({ type, ecosystem, name, version, to, by }: RegistryEvent): void => {
  if (!type.startsWith('package.') || !ecosystem || !name || !version) return;
  const status = (['approved', 'rejected', 'pending'] as const).find((one) => one === to);
  if (status)
    noteOutcome({ ecosystem, name, version }, { status, by, refused: undefined, news: 1 });
};

/** What it refuses, it has heard. */
const isSilent = (error: unknown): boolean => {
  const { status } = toRequestError(error);
  return status === null || status >= 500;
};

/** Follows what happens in the registry, whoever does it, while the page is seen. */
export const useHappenings = (api: RegistryClient): void => {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let after: number | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const query = after === undefined ? { last: 0 } : { after };
      const { events, next } = await api.listEvents({ query }, { signal });
      after = next;
      for (const event of events) follow(event);
      if (events.length > 0) happened.set((count) => count + 1);
    };
    const goOn = async (): Promise<void> => {
      try {
        await look();
        if (silence.get() !== null) happened.set((count) => count + 1);
        silence.set(() => null);
      } catch (error) {
        if (signal.aborted) return;
        if (isSilent(error)) silence.set((since) => since ?? Date.now());
      }
      timer = setTimeout(goOn, everyMs);
    };
    goOn();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api]);
};

import { useEffect, useRef } from 'preact/hooks';
import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RegistryEvent } from '../../shared/api/schemas/event.ts';
import { noteAnswer, noteSilence } from '../api/silence.ts';
import { toRequestError } from '../api/use-answer.ts';
import { actions } from '../decisions/actions.ts';
import { findOutcome, noteOutcome } from '../decisions/outcomes.ts';
import { createStore, useStore } from './store.ts';
import { useWatched } from './watching.ts';

/** Asked so often while somebody looks: an answer without news is a read of nothing. */
const everyMs = 4000;

/** Asked at least so often while the registry does not answer. */
const longestMs = 60_000;

/** Counts what happened that lists may show. */
const happened = createStore(0);

export const useHappened = (): number => useStore(happened);

/** Has lists be read again: the registry knows more than they show. */
export const readListsAgain = (): void => happened.set((count) => count + 1);

/** Notes what an event says of a version. Returns whether that is news: what this page did it knows already. */
const follow = ({ type, ecosystem, name, version, at, to, by }: RegistryEvent): boolean => {
  if (!type.startsWith('package.') || !ecosystem || !name || !version) return true;
  const status = (['approved', 'rejected', 'pending'] as const).find((one) => one === to);
  if (!status) return true;
  const id = { ecosystem, name, version };
  const known = findOutcome(id);
  const isSent = known?.doing?.stage === 'sending' && actions[known.doing.action].status === status;
  if (isSent || (known?.status === status && known.at === at)) return false;
  noteOutcome(id, { status, by, at, refused: undefined, news: 1 });
  return true;
};

/** What it refuses, it has heard. */
const isSilent = (error: unknown): boolean => {
  const { status } = toRequestError(error);
  return status === null || status >= 500;
};

/** Follows what happens in the registry, whoever does it, while somebody looks; more slowly after failures. */
export const useHappenings = (api: RegistryClient): void => {
  const isWatched = useWatched();
  const after = useRef<number>(undefined);
  useEffect(() => {
    if (!isWatched) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      const query = after.current === undefined ? { last: 0 } : { after: after.current };
      const { events, next } = await api.listEvents({ query }, { signal });
      after.current = next;
      if (events.filter(follow).length > 0) readListsAgain();
    };
    const goOn = async (): Promise<void> => {
      try {
        await look();
        failures = 0;
        if (noteAnswer()) readListsAgain();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (isSilent(error)) noteSilence();
      }
      timer = setTimeout(goOn, Math.min(everyMs * 2 ** failures, longestMs));
    };
    const hurry = (): void => {
      clearTimeout(timer);
      goOn();
    };
    goOn();
    addEventListener('online', hurry);
    return () => {
      removeEventListener('online', hurry);
      clearTimeout(timer);
      controller.abort();
    };
  }, [isWatched]);
};

import { useEffect, useRef } from 'preact/hooks';
import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RegistryEvent } from '../../shared/api/schemas/event.ts';
import { exponentialDelay } from '../../shared/util/retry.ts';
import { noteConnected, noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { refreshLists } from '../state/list-refresh.ts';
import { usePageActive } from '../state/page-activity.ts';
import { actions } from './actions.ts';
import type { OutcomeChange } from './outcome.ts';
import { findOutcome, updateOutcomes } from './outcomes.ts';

/** The delay between two polls; it doubles with each failure. A poll without new events costs one read of nothing. */
const delayAfter = exponentialDelay({ firstMs: 4000, longestMs: 60_000 });

/** Returns the change of a version by an event; undefined for an event that changes neither status nor comments. */
const toChange = (event: RegistryEvent): OutcomeChange | undefined => {
  const { type, ecosystem, name, version, at, to, by } = event;
  if (!type.startsWith('package.') || !ecosystem || !name || !version) return undefined;
  const id = { ecosystem, name, version };
  if (type === 'package.commented') return { id, news: 1 };
  const status = (['approved', 'rejected', 'pending'] as const).find((one) => one === to);
  return status && { id, status, by, at, refused: undefined, news: 1 };
};

/** Returns true if this page caused the change, and knows it already. */
const isKnown = ({ id, status, at }: OutcomeChange): boolean => {
  if (status === undefined) return false;
  const known = findOutcome(id);
  const isSent = known?.doing?.stage === 'sending' && actions[known.doing.action].status === status;
  return isSent || (known?.status === status && known?.at === at);
};

/** Applies events to the outcomes of their versions. Returns true if lists may have changed. */
const applyEvents = (events: readonly RegistryEvent[]): boolean => {
  const changes = events.flatMap((event) => toChange(event) ?? []);
  const news = changes.filter((change) => !isKnown(change));
  updateOutcomes(news);
  // Other events change lists, too: all but those that this page caused.
  return news.length > 0 || changes.length < events.length;
};

/** Returns true if the registry did not answer, or failed to. */
const isConnectionError = (error: unknown): boolean => {
  const { status } = toRequestError(error);
  return status === null || status >= 500;
};

/** Polls the events of the registry while somebody uses the page. Polls less often after failures. */
export const useEventPolling = (api: RegistryClient): void => {
  const isPageActive = usePageActive();
  const after = useRef<number>(undefined);
  useEffect(() => {
    if (!isPageActive) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const readEvents = async (): Promise<void> => {
      const query = after.current === undefined ? { last: 0 } : { after: after.current };
      const { events, next } = await api.listEvents({ query }, { signal });
      after.current = next;
      if (applyEvents(events)) refreshLists();
    };
    const poll = async (): Promise<void> => {
      try {
        await readEvents();
        failures = 0;
        if (noteConnected()) refreshLists();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (isConnectionError(error)) noteConnectionLost();
      }
      timer = setTimeout(poll, delayAfter(failures));
    };
    const pollNow = (): void => {
      clearTimeout(timer);
      poll();
    };
    poll();
    addEventListener('online', pollNow);
    return () => {
      removeEventListener('online', pollNow);
      clearTimeout(timer);
      controller.abort();
    };
  }, [isPageActive]);
};

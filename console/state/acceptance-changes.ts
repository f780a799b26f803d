import { useEffect } from 'preact/hooks';
import { refreshLists } from './list-refresh.ts';
import { usePageActive } from './page-activity.ts';
import { createStore, useStore } from './store.ts';

/** A change of a risk acceptance that the registry applies to many versions, one after the other. */
export type AcceptanceChange = 'accepted' | 'ended';

const changes = createStore<ReadonlyMap<string, AcceptanceChange>>(new Map());

/** The delays between refreshes, in milliseconds: most versions change soon, the last ones within minutes. */
const delaysMs = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000];

/** Notes that a risk acceptance, or its end, takes effect within minutes. */
export const noteAcceptanceChange = (vulnerability: string, change: AcceptanceChange): void =>
  changes.set((before) => new Map(before).set(vulnerability, change));

/** Returns the changes that are not applied everywhere yet, by the ID of the vulnerability. */
export const useAcceptanceChanges = (): ReadonlyMap<string, AcceptanceChange> => useStore(changes);

/** Refreshes lists while a change takes effect, because no event reports each changed version. */
export const useRefreshAfterAcceptance = (): void => {
  const what = useAcceptanceChanges();
  const isPageActive = usePageActive();
  useEffect(() => {
    if (what.size === 0 || !isPageActive) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const refreshAfter = ([delayMs, ...further]: readonly number[]): void => {
      if (delayMs === undefined) {
        changes.set(() => new Map());
        return;
      }
      timer = setTimeout(() => {
        refreshLists();
        refreshAfter(further);
      }, delayMs);
    };
    refreshAfter(delaysMs);
    return () => clearTimeout(timer);
  }, [what, isPageActive]);
};

import { useEffect } from 'preact/hooks';
import { refreshLists } from './list-refresh.ts';
import { usePageActive } from './page-activity.ts';
import { createStore, useStore } from './store.ts';

/** What was done about a vulnerability in many versions, which the registry does one after the other. */
export type AcceptanceChange = 'accepted' | 'ended';

const spreading = createStore<ReadonlyMap<string, AcceptanceChange>>(new Map());

/** When lists are read again after that, in milliseconds: most versions have it soon, the last ones within minutes. */
const pausesMs = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000];

/** Notes that an acceptance, or its end, takes effect within minutes. */
export const noteAcceptanceChange = (vulnerability: string, what: AcceptanceChange): void =>
  spreading.set((before) => new Map(before).set(vulnerability, what));

/** What takes effect within minutes, by the id of the vulnerability. */
export const useAcceptanceChanges = (): ReadonlyMap<string, AcceptanceChange> =>
  useStore(spreading);

/** Has lists be read again while something takes effect: no event says when it reached a version. */
export const useRefreshAfterAcceptance = (): void => {
  const what = useAcceptanceChanges();
  const isPageActive = usePageActive();
  useEffect(() => {
    if (what.size === 0 || !isPageActive) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const goOn = ([pauseMs, ...further]: readonly number[]): void => {
      if (pauseMs === undefined) {
        spreading.set(() => new Map());
        return;
      }
      timer = setTimeout(() => {
        refreshLists();
        goOn(further);
      }, pauseMs);
    };
    goOn(pausesMs);
    return () => clearTimeout(timer);
  }, [what, isPageActive]);
};

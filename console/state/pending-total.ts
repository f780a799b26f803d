import { createStore, useStore } from './store.ts';

const total = createStore<number | undefined>(undefined);

/** Stores the number of pending versions, which the navigation counts. */
export const setPendingTotal = (count: number): void => total.set(() => count);

/** Returns the number of pending versions; undefined while it is unknown. */
export const usePendingTotal = (): number | undefined => useStore(total);

import { createStore, useStore } from './store.ts';

/** Counts the changes that lists may have to show. */
const refreshes = createStore(0);

/** Returns how often lists were refreshed: a list loads again when the number changes. */
export const useListRefreshes = (): number => useStore(refreshes);

/** Makes all lists load again, because the registry has newer data than they show. */
export const refreshLists = (): void => refreshes.set((count) => count + 1);

import { useEffect, useState } from 'preact/hooks';

/** A value that several components show. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (change: (before: T) => T) => void;
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: (value: T) => void) => () => void;
}

/** Returns a store with an initial value. */
export const createStore = <T>(first: T): Store<T> => {
  let value = first;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set: (change) => {
      value = change(value);
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Returns the value of a store, and renders again when it changes. */
export const useStore = <T>(store: Store<T>): T => {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const show = (shown: T): void => setValue(() => shown);
    show(store.get());
    return store.subscribe(show);
  }, [store]);
  return value;
};

import { createStore, useStore } from './store.ts';

/** After so long without any input nobody looks any more. */
const idleMs = 5 * 60_000;

const inputs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const;

/** Whether somebody looks at the page: it is visible, and was used within the last minutes. */
const watched = createStore(document.visibilityState === 'visible');

let lastInput = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

const sleepWhenIdle = (): void => {
  const left = lastInput + idleMs - Date.now();
  if (left > 0) timer = setTimeout(sleepWhenIdle, left);
  else watched.set(() => false);
};

const sleep = (): void => {
  clearTimeout(timer);
  watched.set(() => false);
};

const noteInput = (): void => {
  lastInput = Date.now();
  if (watched.get() || document.visibilityState === 'hidden') return;
  watched.set(() => true);
  sleepWhenIdle();
};

/** Begins to note whether somebody looks at the page. */
export const startActivityTracking = (): void => {
  for (const input of inputs) addEventListener(input, noteInput, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? sleep() : noteInput(),
  );
  if (watched.get()) sleepWhenIdle();
};

/** Whether somebody looks at the page. While nobody does, it sends no request by itself. */
export const usePageActive = (): boolean => useStore(watched);

import { createStore, useStore } from './store.ts';

/** The page counts as inactive after this time without input. */
const idleMs = 5 * 60_000;

const inputs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const;

/** True while the page is visible, and had input within the last minutes. */
const active = createStore(document.visibilityState === 'visible');

let lastInput = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

const sleepWhenIdle = (): void => {
  const left = lastInput + idleMs - Date.now();
  if (left > 0) timer = setTimeout(sleepWhenIdle, left);
  else active.set(() => false);
};

const sleep = (): void => {
  clearTimeout(timer);
  active.set(() => false);
};

const noteInput = (): void => {
  lastInput = Date.now();
  if (active.get() || document.visibilityState === 'hidden') return;
  active.set(() => true);
  sleepWhenIdle();
};

/** Starts to track whether somebody uses the page. */
export const startActivityTracking = (): void => {
  for (const input of inputs) addEventListener(input, noteInput, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? sleep() : noteInput(),
  );
  if (active.get()) sleepWhenIdle();
};

/** Returns true while somebody uses the page. An inactive page sends no requests on its own. */
export const usePageActive = (): boolean => useStore(active);

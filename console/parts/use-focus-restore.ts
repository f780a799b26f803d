import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** What has the focus where what had it is gone. */
const fallback = '#evidence-title, main';

/** Takes the focus before the next key, since what is typed is for the form; gives it back when the form goes. */
export const useFocusRestore = (field: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    field.current?.closest('form')?.scrollIntoView({ block: 'nearest' });
    return () => {
      const isBack = before instanceof HTMLElement && before !== document.body;
      // What replaces the form comes first: the button that opened it may be there again.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (isBack && before.isConnected) before.focus();
        else document.querySelector<HTMLElement>(fallback)?.focus();
      });
    };
  }, [field]);
};

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Gets the focus if the previous element no longer exists. */
const fallback = '#evidence-title, main';

/** Moves the focus to a field of a form when the form opens, and back when the form closes. */
export const useFocusRestore = (field: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    field.current?.closest('form')?.scrollIntoView({ block: 'nearest' });
    return () => {
      const isBack = before instanceof HTMLElement && before !== document.body;
      // After the next render, the button that opened the form may exist again.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (isBack && before.isConnected) before.focus();
        else document.querySelector<HTMLElement>(fallback)?.focus();
      });
    };
  }, [field]);
};

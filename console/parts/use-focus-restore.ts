import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** What gets the focus if the previous element no longer exists: what opens the form again, or the title of the page. */
const findFallback = (place: Element | null): HTMLElement | null =>
  (place?.isConnected ? place.querySelector<HTMLElement>('button:enabled, a[href]') : null) ??
  document.querySelector<HTMLElement>('#evidence-title') ??
  document.querySelector<HTMLElement>('main');

/** Moves the focus to a field of a form when the form opens, and back when the form closes. */
export const useFocusRestore = (field: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    const form = field.current?.closest('form');
    form?.scrollIntoView({ block: 'nearest' });
    const place = form?.parentElement ?? null;
    return () => {
      const isBack = before instanceof HTMLElement && before !== document.body;
      // After the next render, the button that opened the form may exist again.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (isBack && before.isConnected) before.focus();
        else findFallback(place)?.focus();
      });
    };
  }, [field]);
};

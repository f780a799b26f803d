import { useEffect } from 'preact/hooks';
import { restoreOpenRequests, sendAllHeld } from './decide.ts';

/** Sends held decisions when the view or the page is left, and restores the open requests of the previous page. */
export const useSendOnLeave = (view: string): void => {
  useEffect(() => sendAllHeld, [view]);
  useEffect(() => {
    restoreOpenRequests();
    addEventListener('pagehide', sendAllHeld);
    return () => removeEventListener('pagehide', sendAllHeld);
  }, []);
};

import { useEffect } from 'preact/hooks';
import { restoreOpenRequests, sendAllHeld } from './decide.ts';

/** Sends what is held once the view or the page is left, and takes up what an earlier page of this window left. */
export const useSendOnLeave = (view: string): void => {
  useEffect(() => sendAllHeld, [view]);
  useEffect(() => {
    restoreOpenRequests();
    addEventListener('pagehide', sendAllHeld);
    return () => removeEventListener('pagehide', sendAllHeld);
  }, []);
};

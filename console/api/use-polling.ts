import { useEffect, useRef } from 'preact/hooks';
import { usePageActive } from '../state/page-activity.ts';
import type { QueryState } from './use-query.ts';

/** So old an answer gets on the screen, at most, besides the time that the next one takes. */
const everyMs = 7000;

/** Asked at least so often while it fails. */
const longestMs = 60_000;

/** Has an answer asked for again while somebody looks, and at once when somebody looks again; more slowly after failures. */
export const usePolling = ({ reads, failures, reload }: QueryState<unknown>): void => {
  const isPageActive = usePageActive();
  const last = useRef({ reads, at: 0 });
  if (last.current.reads !== reads) last.current = { reads, at: Date.now() };
  useEffect(() => {
    if (!isPageActive || reads === 0) return undefined;
    const age = Date.now() - last.current.at;
    const pauseMs = Math.min(everyMs * 2 ** failures, longestMs);
    const timer = setTimeout(reload, Math.max(0, pauseMs - age));
    return () => clearTimeout(timer);
  }, [isPageActive, reads, failures, reload]);
};

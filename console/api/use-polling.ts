import { useEffect, useRef } from 'preact/hooks';
import { exponentialDelay } from '../../shared/util/retry.ts';
import { usePageActive } from '../state/page-activity.ts';
import type { QueryState } from './use-query.ts';

/** The delay between two requests; it doubles with each failure. */
const delayAfter = exponentialDelay({ firstMs: 7000, longestMs: 60_000 });

/** Reloads a query at intervals while somebody uses the page, and at once when somebody returns to the page. */
export const usePolling = ({ reads, failures, reload }: QueryState<unknown>): void => {
  const isPageActive = usePageActive();
  const last = useRef({ reads, at: 0 });
  if (last.current.reads !== reads) last.current = { reads, at: Date.now() };
  useEffect(() => {
    if (!isPageActive || reads === 0) return undefined;
    const age = Date.now() - last.current.at;
    const timer = setTimeout(reload, Math.max(0, delayAfter(failures) - age));
    return () => clearTimeout(timer);
  }, [isPageActive, reads, failures, reload]);
};

import { useEffect, useRef } from 'preact/hooks';
import { useWatched } from '../frame/watching.ts';
import type { Answered } from './use-answer.ts';

/** So old an answer gets on the screen, at most, besides the time that the next one takes. */
const everyMs = 7000;

/** Asked at least so often while it fails. */
const longestMs = 60_000;

/** Has an answer asked for again while somebody looks, and at once when somebody looks again; more slowly after failures. */
export const useFollowed = ({ reads, failures, reload }: Answered<unknown>): void => {
  const isWatched = useWatched();
  const last = useRef({ reads, at: 0 });
  if (last.current.reads !== reads) last.current = { reads, at: Date.now() };
  useEffect(() => {
    if (!isWatched || reads === 0) return undefined;
    const age = Date.now() - last.current.at;
    const pauseMs = Math.min(everyMs * 2 ** failures, longestMs);
    const timer = setTimeout(reload, Math.max(0, pauseMs - age));
    return () => clearTimeout(timer);
  }, [isWatched, reads, failures, reload]);
};

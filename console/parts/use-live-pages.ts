import { useEffect, useRef, useState } from 'preact/hooks';
import { useListRefreshes } from '../state/list-refresh.ts';
import { usePages } from './use-pages.ts';

/**
 * Loads a list page by page, and loads it again with each refresh of lists while only its first page is shown. The old
 * page stays until the new one is there.
 */
export const useLivePages: typeof usePages = (key, load) => {
  const refreshes = useListRefreshes();
  const [round, setRound] = useState(refreshes);
  const state = usePages(`${key} ${round}`, load);
  const shown = useRef(state.pages);
  if (state.pages.length > 0) shown.current = state.pages;
  useEffect(() => {
    // A list of several pages would lose its place.
    if (shown.current.length <= 1) setRound(refreshes);
  }, [refreshes]);
  return { ...state, pages: shown.current };
};

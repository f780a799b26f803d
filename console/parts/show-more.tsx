import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface ShowMoreProps {
  /** Loads the next page; undefined on the last one, and while a page loads. */
  readonly showMore: (() => void) | undefined;
  readonly isLoading: boolean;
  /** What stands beside the button. */
  readonly children?: ComponentChildren;
}

/** The button that loads the next page of a list. It stays while the page loads, because it has the focus. */
export const ShowMore = ({ showMore, isLoading, children }: ShowMoreProps) => {
  const wasShown = useRef(false);
  wasShown.current = showMore !== undefined || (wasShown.current && isLoading);
  if (!wasShown.current) return null;
  return (
    <p>
      <button type="button" aria-disabled={showMore ? undefined : 'true'} onClick={showMore}>
        Show more
      </button>{' '}
      {children}
    </p>
  );
};

import { useEffect, useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { useQuery } from '../api/use-query.ts';

interface Paged {
  readonly next: string | null;
}

interface Pages<T> {
  /** The pages so far, the first one first. */
  readonly pages: readonly T[];
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Loads the next page; undefined on the last one. */
  readonly showMore: (() => void) | undefined;
}

/** Loads a list page by page. Another key begins a new list. */
export const usePages = <T extends Paged>(
  key: string,
  load: (after: string | undefined, signal: AbortSignal) => Promise<T>,
): Pages<T> => {
  const [earlier, setEarlier] = useState<readonly T[]>([]);
  useEffect(() => setEarlier([]), [key]);
  const after = earlier.at(-1)?.next ?? undefined;
  const { value, error, isLoading, reload } = useQuery(`${key} ${after}`, (signal) =>
    load(after, signal),
  );
  const pages = value ? [...earlier, value] : earlier;
  const hasMore = value !== undefined && value.next !== null;
  return {
    pages,
    error,
    isLoading,
    reload,
    showMore: hasMore ? () => setEarlier(pages) : undefined,
  };
};

import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from './rows.ts';

const none: ReadonlySet<string> = new Set();

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly rows: readonly Row[];
  /** Selects a row or no more; with `isRange`, all rows from the one that was last selected alike. */
  readonly select: (key: string, options?: { readonly isRange?: boolean }) => void;
  /** Selects rows besides those that are selected. */
  readonly add: (...keys: readonly string[]) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Returns the keys from one row to another, whichever comes first. */
const listRange = (rows: readonly Row[], from: string | undefined, to: string): string[] => {
  const [one, other] = [from, to].map((key) => rows.findIndex((row) => row.key === key));
  if (one === undefined || other === undefined || one < 0 || other < 0) return [to];
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ key }) => key);
};

const withKeys = (
  before: ReadonlySet<string>,
  keys: readonly string[],
  isSelected: boolean,
): ReadonlySet<string> =>
  isSelected
    ? new Set([...before, ...keys])
    : new Set([...before].filter((key) => !keys.includes(key)));

/** Which rows are selected, as far as they are still there. */
export const useSelection = (rows: readonly Row[]): Selection => {
  const [keys, setKeys] = useState(none);
  const anchor = useRef<string>(undefined);
  const clear = useCallback(() => setKeys(none), []);
  const select: Selection['select'] = (key, { isRange = false } = {}) => {
    const changed = isRange ? listRange(rows, anchor.current, key) : [key];
    anchor.current = key;
    setKeys((before) => withKeys(before, changed, !before.has(key)));
  };
  const add: Selection['add'] = (...added) => {
    anchor.current = added.at(-1);
    setKeys((before) => withKeys(before, added, true));
  };
  const toggleAll = useCallback(
    () =>
      setKeys((before) =>
        rows.every(({ key }) => before.has(key)) ? none : new Set(rows.map(({ key }) => key)),
      ),
    [rows],
  );
  const selected = useMemo(() => rows.filter(({ key }) => keys.has(key)), [rows, keys]);
  return { keys, rows: selected, select, add, toggleAll, clear };
};

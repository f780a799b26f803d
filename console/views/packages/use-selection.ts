import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Row } from './rows.ts';

const none: ReadonlySet<string> = new Set();

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly rows: readonly Row[];
  readonly toggle: (key: string) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Which rows are selected, as far as they are still there. */
export const useSelection = (rows: readonly Row[]): Selection => {
  const [keys, setKeys] = useState(none);
  const clear = useCallback(() => setKeys(none), []);
  const toggle = useCallback(
    (key: string) =>
      setKeys((before) => {
        const after = new Set(before);
        if (!after.delete(key)) after.add(key);
        return after;
      }),
    [],
  );
  const toggleAll = useCallback(
    () =>
      setKeys((before) =>
        rows.every(({ key }) => before.has(key)) ? none : new Set(rows.map(({ key }) => key)),
      ),
    [rows],
  );
  const selected = useMemo(() => rows.filter(({ key }) => keys.has(key)), [rows, keys]);
  return { keys, rows: selected, toggle, toggleAll, clear };
};

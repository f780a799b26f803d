import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../../decisions/outcome.ts';
import { isUnderWay } from '../../decisions/outcomes.ts';
import { announce } from '../../state/announcements.ts';
import type { Row } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';

const none: ReadonlySet<string> = new Set();

/** The selected rows, with functions that change the selection. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly rows: readonly Row[];
  /** Selects or deselects a row. With `isRange`, it does so for all rows from the last selected one. */
  readonly select: (key: string, options?: { readonly isRange?: boolean }) => void;
  /** Adds rows to the selection. */
  readonly add: (...keys: readonly string[]) => void;
  /** True if all rows are selected that `toggleAll` selects. */
  readonly isAll: boolean;
  /** Selects all pending versions, or all versions if none is pending. Clears the selection if all are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Returns the keys of all rows between two rows, in either direction. */
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

const toKeys = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ key }) => key));

/** Divides rows into those that `toggleAll` selects, and the others. */
const divide = (rows: readonly Row[], outcomes: ReadonlyMap<string, Outcome>) => {
  const pending = rows.filter(
    (row) => findStatus(row, outcomes) === 'pending' && !isUnderWay(outcomes.get(row.key)),
  );
  return pending.length > 0
    ? { taken: pending, left: rows.filter((row) => !pending.includes(row)) }
    : { taken: rows, left: [] };
};

const describeCount = (count: number): string => `${count} ${count === 1 ? 'version' : 'versions'}`;

/** Describes a selection of all: `12 pending selected; 3 versions that need attention not selected`. */
const describeTaken = ({ taken, left }: ReturnType<typeof divide>): string => {
  const attention = left.filter(({ reasons }) => reasons !== null).length;
  const others = left.length - attention;
  const parts = [
    ...(attention > 0
      ? [
          `${describeCount(attention)} that ${attention === 1 ? 'needs' : 'need'} attention not selected`,
        ]
      : []),
    ...(others > 0 ? [`${others} already decided not selected`] : []),
  ];
  return [`${taken.length} ${left.length > 0 ? 'pending ' : ''}selected`, ...parts].join('; ');
};

/** Returns the keys whose decisions were made. Refused and unsent versions stay selected. */
const listMade = (
  keys: ReadonlySet<string>,
  before: ReadonlyMap<string, Outcome>,
  now: ReadonlyMap<string, Outcome>,
): string[] =>
  [...keys].filter((key) => {
    const wasSent = ['sending', 'checking'].includes(before.get(key)?.doing?.stage ?? '');
    const after = now.get(key);
    return wasSent && !after?.doing && !after?.refused;
  });

/** Returns the selection. Rows with a decision in progress are not part of it. */
export const useSelection = (
  rows: readonly Row[],
  outcomes: ReadonlyMap<string, Outcome>,
): Selection => {
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
  const divided = useMemo(() => divide(rows, outcomes), [rows, outcomes]);
  const { taken } = divided;
  const isAll = taken.length > 0 && taken.every(({ key }) => keys.has(key));
  const toggleAll = (): void => {
    setKeys(isAll ? none : toKeys(taken));
    if (!isAll) announce(describeTaken(divided));
  };
  const last = useRef(outcomes);
  useEffect(() => {
    const made = listMade(keys, last.current, outcomes);
    last.current = outcomes;
    if (made.length > 0) setKeys((before) => withKeys(before, made, false));
  }, [outcomes]);
  const selected = useMemo(
    () => rows.filter(({ key }) => keys.has(key) && !isUnderWay(outcomes.get(key))),
    [rows, keys, outcomes],
  );
  return { keys: toKeys(selected), rows: selected, isAll, select, add, toggleAll, clear };
};

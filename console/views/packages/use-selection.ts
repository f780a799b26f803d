import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import {
  addToBasket,
  type BasketVersion,
  clearBasket,
  readBasket,
  removeFromBasket,
  setBasketOwner,
  useBasket,
} from '../../decisions/basket.ts';
import type { Outcome } from '../../decisions/outcome.ts';
import { isUnderWay } from '../../decisions/outcomes.ts';
import { isEvidenceRefusal } from '../../decisions/send-decisions.ts';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import type { Row } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';

/** The selected versions of all lists, with functions that change the selection. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  /** The selected versions. A version in this list has the evidence that the list shows. */
  readonly versions: readonly BasketVersion[];
  /** The number of selected versions in this list. */
  readonly listed: number;
  /** Selects or deselects a row. With `isRange`, it does so for all rows from the last selected one. */
  readonly select: (key: string, options?: { readonly isRange?: boolean }) => void;
  /** Adds rows to the selection. */
  readonly add: (...keys: readonly string[]) => void;
  /** True if all rows are selected that `toggleAll` selects. */
  readonly isAll: boolean;
  /** The rows that `toggleAll` selects: all pending versions, or all versions if none is pending. */
  readonly taken: readonly Row[];
  /** Selects all rows that `taken` has. Deselects all rows of the list if they are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Returns the keys of all rows between two rows, in either direction. */
const listRange = (rows: readonly Row[], from: string | undefined, to: string): string[] => {
  const [one, other] = [from, to].map((key) => rows.findIndex((row) => row.key === key));
  if (one === undefined || other === undefined || one < 0 || other < 0) return [to];
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ key }) => key);
};

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

/** Returns the selection, which stays over pages, lists and reloads. Versions with a decision in progress are not part of it. */
export const useSelection = (
  rows: readonly Row[],
  outcomes: ReadonlyMap<string, Outcome>,
): Selection => {
  const basket = useBasket();
  const fingerprint = useSession().caller?.fingerprint;
  // Before the next key, which may decide.
  useLayoutEffect(() => {
    if (fingerprint) setBasketOwner(fingerprint);
  }, [fingerprint]);
  const anchor = useRef<string>(undefined);
  const byKey = useMemo(() => new Map(rows.map((row) => [row.key, row])), [rows]);
  const add: Selection['add'] = (...keys) => {
    anchor.current = keys.at(-1);
    addToBasket(keys.flatMap((key) => byKey.get(key) ?? []));
  };
  const select: Selection['select'] = (key, { isRange = false } = {}) => {
    const keys = isRange ? listRange(rows, anchor.current, key) : [key];
    // Not the basket of the last rendering: two keys may come before the next one.
    const isSelected = readBasket().has(key);
    anchor.current = key;
    if (isSelected) removeFromBasket(keys);
    else addToBasket(keys.flatMap((one) => byKey.get(one) ?? []));
  };
  const divided = useMemo(() => divide(rows, outcomes), [rows, outcomes]);
  const { taken } = divided;
  const isAll = taken.length > 0 && taken.every(({ key }) => basket.has(key));
  const toggleAll = (): void => {
    if (isAll) removeFromBasket(rows.map(({ key }) => key));
    else {
      announce(describeTaken(divided));
      addToBasket(taken);
    }
  };
  const versions = useMemo(
    () =>
      [...basket.values()]
        .filter(({ key }) => !isUnderWay(outcomes.get(key)))
        .map((one) => byKey.get(one.key) ?? one),
    [basket, byKey, outcomes],
  );
  useEffect(() => {
    const isStale = ({ key }: BasketVersion): boolean =>
      !byKey.has(key) && isEvidenceRefusal(outcomes.get(key)?.refused?.error);
    const stale = versions.filter(isStale);
    if (stale.length === 0) return;
    removeFromBasket(stale.map(({ key }) => key));
    announce(`${describeCount(stale.length)} with new evidence no longer selected: see it first`);
  }, [versions, byKey, outcomes]);
  const listed = versions.filter(({ key }) => byKey.has(key)).length;
  const keys = useMemo(() => new Set(versions.map(({ key }) => key)), [versions]);
  return { keys, versions, listed, isAll, taken, select, add, toggleAll, clear: clearBasket };
};

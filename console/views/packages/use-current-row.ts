import { useRef, useState } from 'preact/hooks';
import { type Address, goTo } from '../../address/address.ts';
import { toKey, type VersionId } from '../../address/version-id.ts';
import type { Outcome } from '../../decisions/outcome.ts';
import { isUnderWay } from '../../decisions/outcomes.ts';
import { focusRow } from '../../parts/focus-row.ts';
import type { Row } from './rows.ts';

interface CurrentRowProps {
  readonly rows: readonly Row[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The version in the address. */
  readonly id: VersionId | undefined;
  /** True if list and evidence fit side by side. */
  readonly isWide: boolean;
  /** The address of the list. */
  readonly list: Pick<Address, 'view' | 'query'>;
}

const isOpen = (row: Row, outcomes: ReadonlyMap<string, Outcome>): boolean => {
  const outcome = outcomes.get(row.key);
  const isSettled = row.reasons !== null && outcome?.made !== undefined;
  return !isUnderWay(outcome) && !isSettled && (outcome?.status ?? row.status) === row.status;
};

/** The row that shortcuts apply to, with functions that move it. */
export interface CurrentRow {
  readonly current: Row | undefined;
  /** False until the user chooses a row: the first one is only shown. */
  readonly isChosen: boolean;
  /** Moves to the next or previous row, or chooses the first one, and returns it. */
  readonly move: (step: 1 | -1) => Row | undefined;
  /** Opens the next pending row, or the previous one if there is none. */
  readonly moveOn: () => void;
  /** Makes the focused row the current one. */
  readonly follow: (focused: string) => void;
  /** Moves to the next row; undefined on the last one. */
  readonly goNext: (() => void) | undefined;
}

/** Returns the current row, which shortcuts apply to, and functions that move it. On wide screens, the evidence follows. */
export const useCurrentRow = ({
  rows,
  outcomes,
  id,
  isWide,
  list,
}: CurrentRowProps): CurrentRow => {
  const key = useRef<string>(undefined);
  const seen = useRef<string>(undefined);
  const [, redraw] = useState(0);
  const named = id && toKey(id);
  // During rendering, because the next key may come before an effect runs.
  if (named !== undefined && named !== seen.current) key.current = named;
  seen.current = named;
  const found = rows.findIndex((row) => row.key === key.current);
  // If the row disappears, the next row takes its place.
  const place = useRef(-1);
  if (found >= 0) place.current = found;
  const near = Math.max(0, Math.min(place.current, rows.length - 1));
  // A version in the address that is not listed is not the first row.
  const current = rows[found] ?? (named === undefined ? rows[near] : undefined);
  const after = current ? rows.indexOf(current) + 1 : near;
  const show = (row: Row): void => {
    key.current = row.key;
    redraw((count) => count + 1);
    if (isWide || id) goTo({ ...list, id: row }, { replace: true });
  };
  const goToRow = (row: Row | undefined): Row | undefined => {
    if (!row) return undefined;
    show(row);
    focusRow(row.key);
    return row;
  };
  const drawn = key.current;
  const moveOn = (): void => {
    // A late answer must not move the user away from another row.
    if (key.current !== drawn) return;
    const isNext = (row: Row): boolean => row.key !== current?.key && isOpen(row, outcomes);
    const before = rows.slice(0, after).filter(isNext);
    goToRow(rows.slice(after).find(isNext) ?? before.at(-1) ?? current);
  };
  const next = rows[after];
  const move = (step: 1 | -1): Row | undefined => {
    if (found < 0 && current) return goToRow(current);
    if (found < 0) return goToRow(rows[step > 0 ? after : Math.max(0, after - 1)]);
    return goToRow(rows[found + step]);
  };
  const follow = (focused: string): void => {
    const row = rows.find((one) => one.key === focused);
    if (row && focused !== current?.key) show(row);
  };
  const isChosen = found >= 0 || (named !== undefined && !current);
  return { current, isChosen, move, moveOn, follow, goNext: next && (() => goToRow(next)) };
};

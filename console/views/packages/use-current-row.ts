import { useRef, useState } from 'preact/hooks';
import { type Address, goTo, toKey, type VersionId } from '../../address/address.ts';
import { isUnderWay, type Outcome } from '../../decisions/outcomes.ts';
import { focusRow } from '../../parts/focus-row.ts';
import type { Row } from './rows.ts';

interface CurrentRowProps {
  readonly rows: readonly Row[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What the address names. */
  readonly id: VersionId | undefined;
  /** Whether there is room for a list and a package side by side. */
  readonly isWide: boolean;
  /** The address of the list. */
  readonly list: Pick<Address, 'view' | 'query'>;
}

const isOpen = (row: Row, outcomes: ReadonlyMap<string, Outcome>): boolean => {
  const outcome = outcomes.get(row.key);
  const isSettled = row.reasons !== null && outcome?.made !== undefined;
  return !isUnderWay(outcome) && !isSettled && (outcome?.status ?? row.status) === row.status;
};

/** Which row keys are about. Where there is room, the package beside the list follows it. */
export const useCurrentRow = ({ rows, outcomes, id, isWide, list }: CurrentRowProps) => {
  const key = useRef<string>(undefined);
  const seen = useRef<string>(undefined);
  const [, redraw] = useState(0);
  const named = id && toKey(id);
  // While it is drawn: who types fast is ahead of effects.
  if (named !== undefined && named !== seen.current) key.current = named;
  seen.current = named;
  const found = rows.findIndex((row) => row.key === key.current);
  // A row that matches no more leaves its place to the next one.
  const place = useRef(-1);
  if (found >= 0) place.current = found;
  const near = Math.max(0, Math.min(place.current, rows.length - 1));
  // What is shown and is not in the list is not the first of it.
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
  /** Goes on to the next row that waits, or the one before where there is none. */
  const moveOn = (): void => {
    // An answer that comes late takes nobody away from where they are by then.
    if (key.current !== drawn) return;
    const isNext = (row: Row): boolean => row.key !== current?.key && isOpen(row, outcomes);
    const before = rows.slice(0, after).filter(isNext);
    goToRow(rows.slice(after).find(isNext) ?? before.at(-1) ?? current);
  };
  const next = rows[after];
  /** Goes to another row, or to the first one before any was chosen, and returns that. */
  const move = (step: 1 | -1): Row | undefined => {
    if (found < 0 && current) return goToRow(current);
    if (found < 0) return goToRow(rows[step > 0 ? after : Math.max(0, after - 1)]);
    return goToRow(rows[found + step]);
  };
  /** Keys are about the row that has the focus, however it came there. */
  const follow = (focused: string): void => {
    const row = rows.find((one) => one.key === focused);
    if (row && focused !== current?.key) show(row);
  };
  // Before that, the first row is shown, and nobody has said that it is meant.
  const isChosen = found >= 0 || (named !== undefined && !current);
  return { current, isChosen, move, moveOn, follow, goNext: next && (() => goToRow(next)) };
};

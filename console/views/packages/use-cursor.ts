import { useEffect, useState } from 'preact/hooks';
import { goTo, toKey, type VersionId } from '../../address/address.ts';
import type { Outcome } from '../../decisions/outcomes.ts';
import type { Filters, Row } from './rows.ts';

interface CursorProps {
  readonly rows: readonly Row[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What the address names. */
  readonly id: VersionId | undefined;
  /** Whether there is room for a list and a package side by side. */
  readonly isWide: boolean;
  readonly view: string;
  readonly filters: Filters;
}

/** Moves the focus to a row, which brings it into sight. */
const focusRow = (key: string): void => {
  const row = [...document.querySelectorAll<HTMLElement>('[data-key]')].find(
    ({ dataset }) => dataset['key'] === key,
  );
  row?.querySelector('a')?.focus();
};

const isOpen = (row: Row, outcomes: ReadonlyMap<string, Outcome>): boolean => {
  const { status, sending } = outcomes.get(row.key) ?? {};
  return sending === undefined && (status ?? row.status) === row.status;
};

/** Which row keys are about. Where there is room, the package beside the list follows it. */
export const useCursor = ({ rows, outcomes, id, isWide, view, filters }: CursorProps) => {
  const [key, setKey] = useState(id && toKey(id));
  const named = id && toKey(id);
  useEffect(() => {
    if (named) setKey(named);
  }, [named]);
  const found = rows.findIndex((row) => row.key === key);
  const at = Math.max(0, found);
  const current = rows[at];
  const goToRow = (row: Row | undefined): void => {
    if (!row) return;
    setKey(row.key);
    if (isWide || id) goTo({ view, id: row, query: { ...filters } }, { replace: true });
    focusRow(row.key);
  };
  /** Goes on to the next row that waits, or the one before where there is none. */
  const moveOn = (): void => {
    const isNext = (row: Row): boolean => row.key !== current?.key && isOpen(row, outcomes);
    const before = rows.slice(0, at).filter(isNext);
    goToRow(rows.slice(at + 1).find(isNext) ?? before.at(-1) ?? current);
  };
  const move = (step: number): void => {
    const isFirst = found < 0 && document.activeElement === document.body;
    goToRow(rows[isFirst ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]);
  };
  return { current, move, moveOn };
};

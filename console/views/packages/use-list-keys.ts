import type { RefObject } from 'preact';
import type { Action } from '../../decisions/actions.ts';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { announce } from '../../state/announcements.ts';
import type { CurrentRow } from './use-current-row.ts';
import { chooseFirst } from './use-decision-keys.ts';
import type { Selection } from './use-selection.ts';

interface ListKeysProps extends Pick<CurrentRow, 'current' | 'isChosen' | 'move'> {
  readonly selection: Selection;
  readonly searchField: RefObject<HTMLInputElement | null>;
  /** Decides on the current version, or on the selected ones. */
  readonly decide: (action: Action) => void;
  /** Opens the form that approves all versions without issues. */
  readonly approveAll: () => void;
  /** Moves the focus to the menu of filters. */
  readonly openFilters: () => void;
  /** Clears the selection, or closes the version. */
  readonly leave: () => void;
}

/** Binds the keys of a list: they move the current row, select rows, decide, and open the search. */
export const useListKeys = ({
  current,
  isChosen,
  move,
  selection,
  searchField,
  decide,
  approveAll,
  openFilters,
  leave,
}: ListKeysProps): void => {
  const extend = (step: 1 | -1): void => {
    const keys = [current, move(step)].flatMap((row) => row?.key ?? []);
    // Until the user chooses a row, the first row is only shown.
    if (isChosen) selection.add(...keys);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    J: () => extend(1),
    K: () => extend(-1),
    a: () => decide('approve'),
    r: () => decide('reject'),
    A: approveAll,
    x: () => {
      if (current && isChosen) selection.select(current.key);
      else announce(chooseFirst);
    },
    X: selection.toggleAll,
    '/': () => searchField.current?.focus(),
    f: openFilters,
    Escape: leave,
  });
};

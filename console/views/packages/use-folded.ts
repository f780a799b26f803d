import { useMemo, useState } from 'preact/hooks';
import type { Outcome } from '../../decisions/outcome.ts';
import type { Filters, Source } from './filters.ts';
import { foldUpdates } from './fold-updates.ts';
import type { Row } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';
import type { Listing } from './use-listing.ts';

/** The older updates of the listed versions. */
export interface Folding {
  /** Keys of versions whose older updates are shown. */
  readonly opened: ReadonlySet<string>;
  /** Shows or hides the older updates of a version. */
  readonly toggle: (key: string) => void;
}

/**
 * Returns the rows of a list to show, and which older updates are among them. The queue hides updates of which a newer one is
 * pending; a batch and the list of all packages show them.
 */
export const useFolded = (
  { rows, total }: Listing,
  {
    source,
    filters,
    outcomes,
  }: {
    readonly source: Source;
    readonly filters: Filters;
    readonly outcomes: ReadonlyMap<string, Outcome>;
  },
): { readonly rows: readonly Row[]; readonly folding: Folding | undefined } => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isWhole = total !== undefined && rows.length >= total;
  const folded = useMemo(() => {
    const isDecided = (row: Row): boolean => findStatus(row, outcomes) !== row.status;
    return foldUpdates(rows, { opened, isWhole, isDecided });
  }, [rows, opened, isWhole, outcomes]);
  const toggle = (key: string): void =>
    setOpened((before) => {
      const others = [...before].filter((one) => one !== key);
      return new Set(before.has(key) ? others : [...others, key]);
    });
  if (source !== 'queue' || filters.batch !== '') return { rows, folding: undefined };
  return { rows: folded, folding: { opened, toggle } };
};

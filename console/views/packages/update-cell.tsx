import { AutomaticLabel } from '../../parts/automatic-label.tsx';
import { revealHidden } from '../../parts/reveal-hidden.ts';
import type { Row } from './rows.ts';
import type { Folding } from './use-folded.ts';

interface UpdateCellProps {
  readonly row: Row;
  readonly folding: Folding | undefined;
}

const countUpdates = (count: number): string =>
  `${count} older ${count === 1 ? 'update' : 'updates'}`;

/** Why the registry submitted the version, and a button that shows or hides its older updates. */
export const UpdateCell = ({ row, folding }: UpdateCellProps) => {
  const { automatic, key, older } = row;
  if (!automatic) return null;
  const isOpen = folding?.opened.has(key) ?? false;
  return (
    <span class="update">
      <AutomaticLabel automatic={automatic} />
      {folding && older.length > 0 && (
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          title={revealHidden(older.join(', ')).slice(0, 200)}
          onClick={() => folding.toggle(key)}
        >
          {isOpen ? 'hide' : 'and'} {countUpdates(older.length)}
        </button>
      )}
    </span>
  );
};

import { AutomaticLabel } from '../../parts/automatic-label.tsx';
import { revealHidden } from '../../parts/reveal-hidden.ts';
import type { Row } from './rows.ts';
import type { Groups } from './use-groups.ts';

interface GroupCellProps {
  readonly row: Row;
  readonly groups: Groups | undefined;
}

const countMembers = (count: number, areUpdates: boolean): string => {
  const noun = areUpdates ? 'update' : 'version';
  return `${count} ${areUpdates ? 'older' : 'more'} ${count === 1 ? noun : `${noun}s`}`;
};

/** Why the registry submitted the version, and a button that shows or hides the other rows of its group. */
export const GroupCell = ({ row, groups }: GroupCellProps) => {
  const { automatic, key } = row;
  const members = groups?.listMembers(row) ?? [];
  if (!automatic && members.length === 0) return null;
  const isOpen = groups?.opened.has(key) ?? false;
  return (
    <span class="update">
      {automatic && <AutomaticLabel automatic={automatic} />}
      {groups && members.length > 0 && (
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          title={revealHidden(members.join(', ')).slice(0, 200)}
          onClick={() => groups.toggle(key)}
        >
          {isOpen ? 'hide' : 'and'} {countMembers(members.length, groups.areUpdates)}
        </button>
      )}
    </span>
  );
};
